#include "reports/last_words.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "reports/exit_code.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::string_view out_of_memory_text =
    "idxfsck: out of memory\n"
    "hint: raise the limit of the process (ulimit -v), or lower --memory and --threads; what was "
    "printed so far is not whole\n";

constexpr std::string_view no_thread_text =
    "idxfsck: the system gives no more threads\n"
    "hint: raise the limits of the process (ulimit -u, ulimit -v), or lower --threads\n";

constexpr std::string_view on_the_way_text =
    "idxfsck: an error on its way up could not pass: most likely there was no memory for one more "
    "thread\n"
    "hint: raise the limits of the process (ulimit -v, ulimit -u), or lower --threads\n";

std::atomic_flag spoken = ATOMIC_FLAG_INIT;

void say(std::string_view text) {
    while (!text.empty()) {
        const ssize_t size = ::write(STDERR_FILENO, text.data(), text.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(size));
    }
}

[[noreturn]] void end_with(std::string_view text) {
    // A second thread in the same trouble waits for the end.
    while (spoken.test_and_set()) ::pause();
    say(text);
    ::_exit(exit_could_not_tell);
}

void end_without_memory() { end_with(out_of_memory_text); }

// Data may be in it: nothing but printable ASCII reaches the terminal.
void say_printable(const char* text) {
    char safe[512];
    std::size_t size = 0;
    for (; text[size] != '\0' && size < sizeof safe; ++size) {
        const bool printable = text[size] >= ' ' && text[size] <= '~';
        safe[size] = printable ? text[size] : '?';
    }
    say({safe, size});
}

[[noreturn]] void end_uncaught() {
    // An exception that met a destructor which lets none pass, such as that of a thread that runs.
    if (std::uncaught_exceptions() > 0) end_with(on_the_way_text);
    try {
        if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
        say("idxfsck: bug: terminated");
    } catch (const std::bad_alloc&) {
        end_without_memory();
    } catch (const std::system_error& error) {
        if (error.code().value() == ENOMEM) end_without_memory();
        if (error.code().value() == EAGAIN) end_with(no_thread_text);
        say("idxfsck: bug: nobody caught: ");
        say_printable(error.what());
    } catch (const std::exception& error) {
        say("idxfsck: bug: nobody caught: ");
        say_printable(error.what());
    } catch (...) {
        say("idxfsck: bug: nobody caught what was thrown");
    }
    say("\n");
    std::abort();
}

}  // namespace

void prepare_last_words() {
    std::set_new_handler(end_without_memory);
    std::set_terminate(end_uncaught);
}

}  // namespace idxfsck::reports
