#include "fixtures/commands.hpp"
#include "reports/commands/commands.hpp"

int main(int count, char** words) {
    using namespace idxfsck;
    const std::vector<reports::Command> commands{
        fixtures::demo_command(),   reports::check_command(),  reports::doctor_command(),
        reports::audit_command(),   reports::merge_command(),  reports::plan_command(),
        reports::repair_command(),  reports::undo_command(),   reports::why_command(),
        reports::report_command(),  reports::load_command(),   reports::dump_command(),
        fixtures::seed_command(),   reports::explain_command(),
    };
    return reports::run_program(commands, {words + (count > 0 ? 1 : 0), words + count});
}
