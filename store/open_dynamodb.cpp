#include "store/open_dynamodb.hpp"

#include "store/error.hpp"
#include "store/json/scalar_text.hpp"
#include "store/open_setting.hpp"

namespace idxfsck::store {

namespace {

std::string text_of(const Settings& settings, const std::string& name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string{} : found->second;
}

double rate_of(const Settings& settings) {
    const std::string text = text_of(settings, "rate");
    if (text.empty()) return 0.0;
    const std::optional<std::uint32_t> rate = integer_from_text<std::uint32_t>(text);
    if (rate && *rate > 0) return *rate;
    throw Error{"a rate is a whole number of read units a second", Trouble::usage}
        .with("setting", "rate")
        .with("seen", text);
}

std::string account_in(const Settings& settings) {
    const std::string text = text_of(settings, "expect_account");
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    if (text.empty() || (digits && text.size() == 12)) return text;
    throw Error{"an account of AWS is a number of twelve digits", Trouble::usage}
        .with("setting", "expect_account")
        .with("seen", text)
        .hint("write it in quotes, so that a leading 0 is kept");
}

std::optional<double> price_of(const Settings& settings) {
    const std::string name = "dollars_per_million_units";
    const std::string text = text_of(settings, name);
    if (text.empty()) return std::nullopt;
    const std::optional<double> price = real_from_text(text);
    if (price && *price >= 0.0 && *price <= 1e9) return price;
    throw Error{"a price is a number of dollars, such as 0.125", Trouble::usage}
        .with("setting", name)
        .with("seen", text);
}

}  // namespace

std::vector<std::string> dynamodb_setting_names() {
    return {"consistent", "dollars_per_million_units", "endpoint", "expect_account", "rate",
            "region"};
}

DynamodbSettings dynamodb_settings(const Settings& settings) {
    DynamodbSettings out;
    out.place = {text_of(settings, "region"), text_of(settings, "endpoint")};
    out.expect_account = account_in(settings);
    out.consistent = flag_setting(settings, "consistent");
    out.units_a_second = rate_of(settings);
    out.dollars_per_million = price_of(settings);
    return out;
}

}  // namespace idxfsck::store
