// Decompresses gzip files with igzip and does nothing with what comes out: the least that an audit
// of an export must do, to measure one against.
//
// bare_inflate THREADS FILE...
//
// A file is a task, as in an audit: what is compressed as one stream cannot be cut. Reads and gives
// out 256 KB at a time, touches each block, and prints bytes and seconds.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <isa-l/igzip_lib.h>

namespace {

constexpr std::size_t block_bytes = 256 * 1024;

struct Count {
    std::uint64_t in_bytes = 0;
    std::uint64_t out_bytes = 0;
    std::uint64_t touched = 0;  // so that no compiler drops the work
};

[[noreturn]] void fail(const std::string& file, const char* what) {
    std::fprintf(stderr, "bare_inflate: %s: %s\n", file.c_str(), what);
    std::exit(8);
}

Count inflate(const std::string& file) {
    std::FILE* const stream = std::fopen(file.c_str(), "rb");
    if (stream == nullptr) fail(file, "cannot be opened");
    std::vector<std::uint8_t> in(block_bytes);
    std::vector<std::uint8_t> out(block_bytes);
    inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = IGZIP_GZIP;
    Count count;
    while (state.block_state != ISAL_BLOCK_FINISH) {
        if (state.avail_in == 0) {
            state.avail_in = static_cast<std::uint32_t>(
                std::fread(in.data(), 1, in.size(), stream));
            state.next_in = in.data();
            if (state.avail_in == 0) fail(file, "ends within its stream");
            count.in_bytes += state.avail_in;
        }
        state.next_out = out.data();
        state.avail_out = static_cast<std::uint32_t>(out.size());
        if (isal_inflate(&state) != ISAL_DECOMP_OK) fail(file, "is no gzip file, or damaged");
        const std::size_t size = out.size() - state.avail_out;
        count.out_bytes += size;
        if (size > 0) count.touched += out[size - 1];
    }
    std::fclose(stream);
    return count;
}

Count inflate_all(const std::vector<std::string>& files, std::size_t threads) {
    std::vector<Count> counts(files.size());
    std::vector<std::thread> workers;
    std::atomic<std::size_t> next{0};
    for (std::size_t worker = 0; worker < threads; ++worker) {
        workers.emplace_back([&] {
            for (std::size_t i = next++; i < files.size(); i = next++) {
                counts[i] = inflate(files[i]);
            }
        });
    }
    for (std::thread& worker : workers) worker.join();
    Count total;
    for (const Count& count : counts) {
        total.in_bytes += count.in_bytes;
        total.out_bytes += count.out_bytes;
        total.touched += count.touched;
    }
    return total;
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) {
        std::fprintf(stderr, "usage: bare_inflate THREADS FILE...\n");
        return 16;
    }
    const auto threads = static_cast<std::size_t>(std::max(1, std::atoi(words[1])));
    const std::vector<std::string> files(words + 2, words + count);
    const auto begin = std::chrono::steady_clock::now();
    const Count total = inflate_all(files, threads);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("{\"in_bytes\": %llu, \"out_bytes\": %llu, \"seconds\": %.4f, \"touched\": %llu}\n",
                static_cast<unsigned long long>(total.in_bytes),
                static_cast<unsigned long long>(total.out_bytes), took.count(),
                static_cast<unsigned long long>(total.touched));
    return 0;
}
