// The progress line stays on one line of a terminal and leaves nothing behind; off a terminal there
// is none. A pseudo-terminal stands in for the real one, and a list of times for the clock.

#include <catch2/catch.hpp>

#include "reports/pacer.hpp"
#include "reports/progress_line.hpp"

#include <fcntl.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

namespace idxfsck::reports {
namespace {

// A terminal of some columns: what was written to it, byte for byte.
class Terminal {
public:
    explicit Terminal(unsigned short columns) {
        winsize size{};
        size.ws_col = columns;
        size.ws_row = 24;
        REQUIRE(::openpty(&outer_, &inner_, nullptr, nullptr, &size) == 0);
        termios mode{};
        ::tcgetattr(inner_, &mode);
        ::cfmakeraw(&mode);
        ::tcsetattr(inner_, TCSANOW, &mode);
        ::fcntl(outer_, F_SETFL, O_NONBLOCK);
    }
    ~Terminal() {
        ::close(outer_);
        ::close(inner_);
    }

    int descriptor() const { return inner_; }

    std::string bytes() {
        char buffer[4096];
        ssize_t got = 0;
        while ((got = ::read(outer_, buffer, sizeof buffer)) > 0) {
            text_.append(buffer, static_cast<std::size_t>(got));
        }
        return text_;
    }

    // What stands on the line after all of it: a terminal of one line that knows \r.
    std::string screen() {
        std::string line;
        std::size_t column = 0;
        for (const char byte : bytes()) {
            if (byte == '\r') {
                column = 0;
                continue;
            }
            if (line.size() <= column) line.resize(column + 1, ' ');
            line[column++] = byte;
        }
        return line.substr(0, line.find_last_not_of(' ') + 1);
    }

private:
    int outer_ = -1;
    int inner_ = -1;
    std::string text_;
};

TEST_CASE("the line shows phase, count, rate and time left, in place, and is erased at the end") {
    Terminal terminal{80};
    std::int64_t time_ms = 0;
    Output output{terminal.descriptor()};
    ProgressLine line{output, false, [&] { return time_ms; }};
    line.show({"scan", "rows", 1000, 0, 0});
    CHECK(terminal.screen() == "scan: 1,000 rows");
    time_ms = 1000;
    line.show({"scan", "rows", 501000, 2001000, 3});
    CHECK(terminal.screen() ==
          "scan: 501,000 of 2,001,000 rows, 500,000 rows/s, 3 suspects, 3 s left");
    time_ms = 1100;
    line.show({"scan", "rows", 999999, 2001000, 3});
    CHECK(terminal.screen().find("501,000") != std::string::npos);  // not more often than that
    time_ms = 2000;
    line.show({"confirm", "rows", 0, 0, 0});
    CHECK(terminal.screen() == "confirm");
    line.erase();
    CHECK(terminal.screen().empty());
    CHECK(terminal.bytes().find('\n') == std::string::npos);
    CHECK(terminal.bytes().find('\x1b') == std::string::npos);
}

TEST_CASE("the line never reaches the last column of a narrow terminal") {
    Terminal terminal{20};
    Output output{terminal.descriptor()};
    {
        ProgressLine line{output, false, [] { return 0; }};
        line.show({"scan", "rows", 123456789, 999999999, 12});
        CHECK(terminal.screen().size() <= 19);
    }
    CHECK(terminal.screen().empty());  // its end erases it
}

TEST_CASE("there is no progress where there is no terminal, or quiet is wanted") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    {
        Output output{ends[1]};
        ProgressLine line{output, false};
        line.show({"scan", "rows", 1000, 0, 0});
    }
    ::close(ends[1]);
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == 0);
    ::close(ends[0]);

    Terminal terminal{80};
    Output output{terminal.descriptor()};
    ProgressLine line{output, true};
    line.show({"scan", "rows", 1000, 0, 0});
    line.erase();
    CHECK(terminal.bytes().empty());
}

TEST_CASE("a rate holds operations back, but not the first ones") {
    struct Clock : audit::Clock {
        std::int64_t ms = 1000;
        std::int64_t now_ms() const override { return ms; }
        void wait_until(std::int64_t until) override { ms = std::max(ms, until); }
    };
    Clock clock;
    Pacer pacer{clock, 100};
    pacer.pace(50);
    CHECK(clock.ms == 1000);
    pacer.pace(50);
    CHECK(clock.ms == 1500);
    clock.ms = 9000;  // time that passed idle is no credit
    pacer.pace(10);
    CHECK(clock.ms == 9000);
    pacer.pace(10);
    CHECK(clock.ms == 9100);
    Pacer unlimited{clock, 0};
    unlimited.pace(1000000);
    CHECK(clock.ms == 9100);
}

}  // namespace
}  // namespace idxfsck::reports
