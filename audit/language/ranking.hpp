// audit/language/ranking.hpp
//
// What is compared where several base rows claim one key, and which of two wins.
//
// Threads  Constant.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/language/bound_template.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit::language {

class Ranking {
public:
    Ranking(const WinnerSpec& winner, const store::TableSchema& base, std::int64_t now_ms);

    // Absent if the row has none.
    store::Value rank_of(const store::Row& row) const;

private:
    store::Projection projection_;
    std::vector<std::string> key_;
    std::unique_ptr<BoundTemplate> by_;
};

}  // namespace idxfsck::audit::language
