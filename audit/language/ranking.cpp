#include "audit/language/ranking.hpp"

namespace idxfsck::audit::language {

Ranking::Ranking(const WinnerSpec& winner, const store::TableSchema& base, std::int64_t now_ms)
    : key_{base.key} {
    RowBinder binder{projection_, now_ms};
    by_ = std::make_unique<BoundTemplate>(checked_template(winner.by), MissingPolicy{}, binder);
}

store::Value Ranking::rank_of(const store::Row& row) const {
    store::Projector projector{key_, projection_};
    Scratch scratch;
    const store::RowView view = projector.project(row);
    store::ValueView value;
    return by_->evaluate({view.slots, scratch}, value) ? store::Value{value} : store::Value{};
}

}  // namespace idxfsck::audit::language
