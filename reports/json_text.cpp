#include "reports/json_text.hpp"

namespace idxfsck::reports {

std::string json_text(const nlohmann::ordered_json& json) {
    using handler = nlohmann::ordered_json::error_handler_t;
    return json.dump(2, ' ', true, handler::replace) + "\n";
}

}  // namespace idxfsck::reports
