#include "reports/catalogue.hpp"

namespace idxfsck::reports {

std::vector<CatalogueEntry> catalogue() {
    std::vector<CatalogueEntry> all;
    for (const auto part : {finding_catalogue(), damage_catalogue(), repair_catalogue(),
                            coverage_catalogue()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

std::optional<CatalogueEntry> catalogue_entry(std::string_view code) {
    for (const CatalogueEntry& entry : catalogue()) {
        if (entry.code == code) return entry;
    }
    return std::nullopt;
}

}  // namespace idxfsck::reports
