#include "store/open_dynamodb.hpp"

#include "store/error.hpp"
#include "store/json/scalar_text.hpp"
#include "store/open_setting.hpp"

namespace idxfsck::store {

namespace {

std::optional<double> price_of(const Settings& settings, const std::string& name) {
    const std::string text = text_setting(settings, name);
    if (text.empty()) return std::nullopt;
    const std::optional<double> price = real_from_text(text);
    if (price && *price >= 0.0 && *price <= 1e9) return price;
    throw Error{"a price is a number of dollars, such as 0.125", Trouble::usage}
        .with("setting", name)
        .with("seen", text);
}

std::string account_in(const Settings& settings) {
    const std::string text = text_setting(settings, "expect_account");
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    if (text.empty() || (digits && text.size() == 12)) return text;
    throw Error{"an account of AWS is a number of twelve digits", Trouble::usage}
        .with("setting", "expect_account")
        .with("seen", text)
        .hint("write it in quotes, so that a leading 0 is kept");
}

}  // namespace

std::vector<std::string> dynamodb_setting_names() {
    return {"consistent", "dollars_per_million_units", "dollars_per_million_write_units",
            "endpoint",   "expect_account",            "rate",
            "region"};
}

DynamodbSettings dynamodb_settings(const Settings& settings) {
    DynamodbSettings out;
    out.place = {text_setting(settings, "region"), text_setting(settings, "endpoint")};
    out.expect_account = account_in(settings);
    out.consistent = flag_setting(settings, "consistent");
    out.units_a_second = rate_setting(settings, "read units");
    out.dollars_per_million = price_of(settings, "dollars_per_million_units");
    out.dollars_per_million_writes = price_of(settings, "dollars_per_million_write_units");
    return out;
}

}  // namespace idxfsck::store
