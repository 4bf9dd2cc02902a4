// tests/store/aws_world.hpp
//
// A world for code that finds credentials: environment, files of a home, servers and programs.

#pragma once

#include <filesystem>
#include <fstream>
#include <map>

#include "scratch_folder.hpp"
#include "scripted_world.hpp"
#include "store/aws/profile_file.hpp"
#include "store/error.hpp"

namespace idxfsck::store {

// What answers at an address: the first rule whose text is in method, address and body.
struct AwsRule {
    std::string where;
    int status;
    std::string body;
};

struct AwsWorld {
    std::map<std::string, std::string> environment;
    std::string config;
    std::string credentials;
    std::map<std::string, std::string> files;  // below the home folder
    std::vector<AwsRule> rules;
    std::map<std::string, std::string> programs;
};

class AwsMachine {
public:
    explicit AwsMachine(const AwsWorld& world) : world_{world} {
        std::filesystem::create_directories(home_.path() + "/.aws/sso/cache");
        write(".aws/config", world.config);
        write(".aws/credentials", world.credentials);
        for (const auto& [name, text] : world.files) write(name, text);
        transport_.answer = [this](const HttpRequest& request) { return answer(request); };
    }

    AwsSurroundings around() {
        AwsSurroundings out;
        out.environment = [this](const std::string& name) -> std::optional<std::string> {
            if (name == "HOME") return home_.path();
            const auto found = world_.environment.find(name);
            if (found == world_.environment.end()) return std::nullopt;
            return expanded(found->second);
        };
        out.run = [this](const std::string& command) -> std::optional<Bytes> {
            const auto found = world_.programs.find(command);
            if (found == world_.programs.end()) return std::nullopt;
            return found->second;
        };
        out.transport = &transport_;
        out.clock = &clock;
        out.random = [] { return 0.5; };
        return out;
    }

    const std::vector<HttpRequest>& requests() const { return transport_.requests; }
    // A world that changes while a program runs.
    void set_rules(std::vector<AwsRule> rules) { world_.rules = std::move(rules); }

    ScriptedClock clock;

private:
    void write(const std::string& name, const std::string& text) {
        if (!text.empty()) std::ofstream{home_.path() + "/" + name} << expanded(text);
    }

    std::string expanded(std::string text) const {
        const std::size_t at = text.find("$HOME");
        return at == std::string::npos ? text : text.replace(at, 5, home_.path());
    }

    HttpResult answer(const HttpRequest& request) {
        const std::string seen = request.method + " " + request.url + " " + request.body;
        for (const AwsRule& rule : world_.rules) {
            if (seen.find(rule.where) == std::string::npos) continue;
            if (rule.status != 0) return answer_of(rule.status, rule.body);
            clock.now_ms += request.total_ms_max;
            return failure_of(rule.body);
        }
        return failure_of("nobody is there");
    }

    AwsWorld world_;
    const ScratchFolder home_;
    ScriptedTransport transport_;
};

inline std::string error_text(const Error& error) {
    return std::string{error.what()} + " | " + error.hint();
}

}  // namespace idxfsck::store
