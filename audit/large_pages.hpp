// audit/large_pages.hpp
//
// Memory for tables that are read and written at random places: on pages of 2 MB where the system
// gives them, so that finding a place does not cost more than reading it.
//
// Errors   std::bad_alloc, as any allocator. Without large pages it is plain memory.
// Threads  As std::allocator.

#pragma once

#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace idxfsck::audit {

template <typename Value>
struct LargePages {
    using value_type = Value;

    static constexpr std::size_t page_bytes = std::size_t{2} << 20;

    LargePages() = default;
    template <typename Other>
    LargePages(const LargePages<Other>&) {}

    Value* allocate(std::size_t count) {
        const std::size_t pages = (count * sizeof(Value) + page_bytes - 1) / page_bytes;
        void* const memory = std::aligned_alloc(page_bytes, pages * page_bytes);
        if (memory == nullptr) throw std::bad_alloc{};
        // Advice: what comes of it is speed alone.
        static_cast<void>(::madvise(memory, pages * page_bytes, MADV_HUGEPAGE));
        return static_cast<Value*>(memory);
    }
    void deallocate(Value* memory, std::size_t) { std::free(memory); }

    friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

}  // namespace idxfsck::audit
