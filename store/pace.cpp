#include "store/pace.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "store/error.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t file_bytes_max = 64;
constexpr std::uint32_t rate_max = 1'000'000'000;
constexpr std::int64_t look_every_ms = 1'000;
constexpr const char* what_is_right = "a whole number of read units a second, 1 or more";

// The first bytes of the file; nothing if it cannot be read.
std::optional<std::string> text_in(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) return std::nullopt;
    std::string text(file_bytes_max, '\0');
    file.read(text.data(), std::streamsize(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

}  // namespace

std::optional<double> rate_in(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    const auto rate = integer_from_text<std::uint32_t>(text);
    if (!rate || *rate == 0 || *rate > rate_max) return std::nullopt;
    return *rate;
}

Pace::Pace(Clock& clock, RateFile file) : clock_{clock}, file_{std::move(file)} {
    const std::optional<std::string> text = text_in(file_->path);
    const std::optional<double> rate = text ? rate_in(*text) : std::nullopt;
    if (!rate) {
        throw Error{text ? "the file says no rate" : "the file of the rate cannot be read",
                    Trouble::usage}
            .with("file", file_->path)
            .hint(std::string{"write "} + what_is_right + " into it");
    }
    units_a_second_ = *rate;
    looked_ms_ = clock_.steady_ms();
}

void Pace::spend(double units) {
    double ticket = 0.0;
    {
        const std::lock_guard lock{mutex_};
        const std::int64_t now_ms = clock_.steady_ms();
        look(now_ms);
        advance(now_ms);
        ticket = spent_ += units;
    }
    while (!clock_.stopped()) {
        const std::int64_t wait_ms = left_ms(ticket);
        if (wait_ms <= 0) return;
        clock_.sleep_ms(wait_ms);
    }
}

std::int64_t Pace::left_ms(double ticket) {
    constexpr double rounding = 1e-6;
    const std::lock_guard lock{mutex_};
    const std::int64_t now_ms = clock_.steady_ms();
    look(now_ms);
    advance(now_ms);
    if (units_a_second_ <= 0.0 || ticket - paid_ <= rounding) return 0;
    const double left = std::ceil((ticket - paid_) * 1000.0 / units_a_second_ - rounding);
    const auto left_ms = static_cast<std::int64_t>(std::min(left, 1e15));
    return file_ ? std::min(left_ms, look_every_ms) : left_ms;
}

// Time that nothing was owed in is lost: it does not pay for what comes.
void Pace::advance(std::int64_t now_ms) {
    const double earned = units_a_second_ * static_cast<double>(now_ms - paid_ms_) / 1000.0;
    paid_ = units_a_second_ > 0.0 ? std::min(spent_, paid_ + earned) : spent_;
    paid_ms_ = now_ms;
}

void Pace::look(std::int64_t now_ms) {
    if (!file_ || now_ms - looked_ms_ < look_every_ms) return;
    looked_ms_ = now_ms;
    const std::optional<std::string> text = text_in(file_->path);
    const std::optional<double> rate = text ? rate_in(*text) : std::nullopt;
    if (rate) {
        // What has passed has passed at the old rate.
        advance(now_ms);
        units_a_second_ = *rate;
        bad_text_.clear();
        return;
    }
    // A file that is not there is told from every text.
    std::string bad = text ? " " + *text : "-";
    if (bad == bad_text_) return;
    bad_text_ = std::move(bad);
    if (!file_->say) return;
    file_->say((text ? "the file says no rate" : "the file of the rate cannot be read") +
               std::string{": it should say "} + what_is_right + "; the rate stays what it was");
}

}  // namespace idxfsck::store
