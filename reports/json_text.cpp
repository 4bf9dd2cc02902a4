#include "reports/json_text.hpp"

namespace idxfsck::reports {

using Handler = nlohmann::ordered_json::error_handler_t;

std::string json_text(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', true, Handler::replace) + "\n";
}

std::string json_line(const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', true, Handler::replace);
}

}  // namespace idxfsck::reports
