// tests/store/dynalite.hpp
//
// dynalite, a server that speaks DynamoDB's protocol, started by a test on a free port of this
// machine and gone with the object.
//
// Shape    The npm package is brought into the build folder once. Where it cannot be had the test
//          is told so: runs() is false, and a warning begins with "SKIPPED: ".

#pragma once

#include <string>

#include <sys/types.h>

namespace idxfsck::store {

class Dynalite {
public:
    Dynalite();
    ~Dynalite();
    Dynalite(const Dynalite&) = delete;
    Dynalite& operator=(const Dynalite&) = delete;

    bool runs() const { return !endpoint_.empty(); }
    // http://127.0.0.1:PORT
    const std::string& endpoint() const { return endpoint_; }

private:
    pid_t process_ = -1;
    std::string endpoint_;
};

}  // namespace idxfsck::store
