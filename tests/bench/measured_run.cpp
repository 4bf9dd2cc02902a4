// Runs a command and tells what it took, to a file.
//
// measured_run FILE COMMAND...
//
// FILE gets one JSON object: exit status, wall-clock and processor seconds, and peak resident
// memory. A program of its own, and a small one, because a process begins with the peak memory of
// the one that started it: started from Python, nothing is ever seen to use less than Python does.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace {

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

int report(const char* file, int status, double seconds, const rusage& usage) {
    std::FILE* const out = std::fopen(file, "w");
    if (out == nullptr) return 8;
    std::fprintf(out,
                 "{\"status\": %d, \"seconds\": %.4f, \"processor_seconds\": %.4f, "
                 "\"memory_kib\": %ld}\n",
                 status, seconds, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
                 usage.ru_maxrss);
    return std::fclose(out) == 0 ? 0 : 8;
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) {
        std::fprintf(stderr, "measured_run FILE COMMAND...\n");
        return 16;
    }
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        execvp(words[2], words + 2);
        std::perror(words[2]);
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        std::perror("measured_run");
        return 8;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return report(words[1], code, took.count(), usage);
}
