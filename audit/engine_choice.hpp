// audit/engine_choice.hpp
//
// What a user may ask of the reconciling engines; engines.hpp says what `automatic` does.

#pragma once

#include <cstdint>

namespace idxfsck::audit {

enum class EngineChoice : std::uint8_t {
    automatic,
    exact,
    sketch,
    one_pass,
    fixed,  // not asked: the parameters of shares say it
};

}  // namespace idxfsck::audit
