// Runs an audit up to its suspects, and tells when each phase began and how much memory had been
// used at most by then.
//
// until_suspects SPEC FOLDER auto|exact|sketch|one_pass THREADS MEMORY
//
// FOLDER is for what does not fit into MEMORY (bytes). Prints one JSON object. Confirming reads the
// rows of every suspect again, one by one: its time says nothing of the engine, and a benchmark of
// the engine ends where it begins.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "audit/audit_run.hpp"
#include "reports/open_stores.hpp"
#include "reports/spec_file.hpp"
#include "reports/system_clock.hpp"
#include "store/error.hpp"

namespace {

using namespace idxfsck;

std::uint64_t memory_kib_max() {
    std::ifstream status{"/proc/self/status"};
    for (std::string word; status >> word;) {
        if (word != "VmHWM:") continue;
        std::uint64_t kib = 0;
        status >> kib;
        return kib;
    }
    return 0;
}

class Watch {
public:
    // Ends the program where confirming would begin.
    void see(const audit::Progress& progress) {
        if (progress.phase == phase_) return;
        phase_ = progress.phase;
        if (phase_ == "reconcile") scan_seconds_ = seconds();
        if (phase_ != "confirm") return;
        std::printf("{\"seconds\": %.4f, \"scan_seconds\": %.4f, \"suspects\": %llu, "
                    "\"rows\": %llu, \"memory_kib\": %llu}\n",
                    seconds(), scan_seconds_, static_cast<unsigned long long>(progress.suspects),
                    static_cast<unsigned long long>(progress.rows),
                    static_cast<unsigned long long>(memory_kib_max()));
        std::fflush(stdout);
        std::_Exit(0);
    }

private:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::string phase_;
    double scan_seconds_ = 0;
};

// Whether there is such an engine depends on the version that is measured.
template <typename Choice>
bool set_one_pass(Choice& choice) {
    if constexpr (requires { Choice::one_pass; }) {
        choice = Choice::one_pass;
        return true;
    }
    return false;
}

bool set_engine(audit::AuditOptions& options, const std::string& word) {
    if (word == "one_pass") return set_one_pass(options.engine);
    options.engine = word == "exact"    ? audit::EngineChoice::exact
                     : word == "sketch" ? audit::EngineChoice::sketch
                                        : audit::EngineChoice::automatic;
    return true;
}

int run(char** words) {
    Watch watch;
    audit::AuditOptions options;
    options.spill_directory = words[2];
    options.threads = std::strtoull(words[4], nullptr, 10);
    options.memory_bytes_max = std::strtoull(words[5], nullptr, 10);
    options.progress = [&](const audit::Progress& progress) { watch.see(progress); };
    if (!set_engine(options, words[3])) {
        std::printf("{\"unknown\": \"%s\"}\n", words[3]);
        return 0;
    }
    const reports::CheckedSpec checked = reports::check_spec_file(words[1]);
    const audit::Spec* const spec = std::get_if<audit::Spec>(&checked.outcome);
    if (spec == nullptr) {
        std::fprintf(stderr, "until_suspects: %s makes no sense\n", words[1]);
        return 16;
    }
    const reports::OpenReaders stores{*spec};
    reports::SystemClock clock;
    run_audit(*spec, stores.readers(), clock, options);
    std::fprintf(stderr, "until_suspects: the audit never came to confirming\n");
    return 8;
}

}  // namespace

int main(int count, char** words) {
    if (count != 6) {
        std::fprintf(stderr,
                     "until_suspects SPEC FOLDER auto|exact|sketch|one_pass THREADS MEMORY\n");
        return 16;
    }
    try {
        return run(words);
    } catch (const store::Error& error) {
        std::fprintf(stderr, "until_suspects: %s\n", error.what());
        return 8;
    }
}
