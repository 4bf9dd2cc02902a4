#include "reports/command.hpp"
#include "reports/commands/commands.hpp"

int main(int count, char** words) {
    using namespace idxfsck;
    const std::vector<reports::Command> commands{
        reports::explain_command(),
    };
    return reports::run_program(commands, {words + 1, words + count});
}
