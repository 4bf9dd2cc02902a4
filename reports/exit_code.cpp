#include "reports/exit_code.hpp"

namespace idxfsck::reports {

int exit_code(store::Trouble trouble) {
    switch (trouble) {
        case store::Trouble::could_not_tell: return exit_could_not_tell;
        case store::Trouble::usage: return exit_usage;
        case store::Trouble::refused: return exit_drift;
        case store::Trouble::stopped: return exit_stopped;
    }
    return exit_could_not_tell;
}

int exit_code(const audit::AuditResult& result) {
    int code = exit_consistent;
    if (result.has_drift()) code += exit_drift;
    if (!result.coverage.whole()) code += exit_could_not_tell;
    return code;
}

int exit_code(const repair::RepairResult& result) {
    int code = exit_consistent;
    if (result.anything_left()) code += exit_drift;
    if (result.could_not_tell()) code += exit_could_not_tell;
    if (result.ending == repair::Ending::stopped) code += exit_stopped;
    return code;
}

}  // namespace idxfsck::reports
