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

constexpr std::size_t large_page_bytes = std::size_t{2} << 20;

enum class Pages {
    large,    // a whole number of them: for few tables
    as_ever,  // for many, which would waste a part of each
};

template <typename Value>
struct PageAllocator {
    using value_type = Value;

    PageAllocator() = default;
    explicit PageAllocator(Pages of_kind) : pages{of_kind} {}
    template <typename Other>
    explicit PageAllocator(const PageAllocator<Other>& other) : pages{other.pages} {}

    Value* allocate(std::size_t count) {
        const std::size_t page = pages == Pages::large ? large_page_bytes : alignof(Value);
        const std::size_t bytes = (count * sizeof(Value) + page - 1) / page * page;
        void* const memory = std::aligned_alloc(page, bytes);
        if (memory == nullptr) throw std::bad_alloc{};
        // Advice: what comes of it is speed alone.
        if (pages == Pages::large) static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
        return static_cast<Value*>(memory);
    }
    void deallocate(Value* memory, std::size_t) { std::free(memory); }

    // Each can free what another got.
    friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }

    Pages pages = Pages::large;
};

}  // namespace idxfsck::audit
