#include "audit/language/spec_reader.hpp"

namespace idxfsck::audit::language {

namespace {

void complain(const IndexSpec& index, Reading& reading, std::string text, std::string hint) {
    reading.complain(index.place, std::move(text), index.name, std::move(hint));
}

}  // namespace

void check_inside(const IndexSpec& index, Reading& reading) {
    if (!index.inside) {
        if (!index.repair_in_row) return;
        complain(index, reading, "`repair_in_row` is of an index inside the base row",
                 "add `inside = true`, or leave it out");
        return;
    }
    if (!index.pointer.empty()) {
        complain(index, reading, "an index inside the base row has no `pointer`",
                 "the key of the base row is the pointer");
    }
    if (index.container.kind != ContainerKind::none || !index.each.empty()) {
        complain(index, reading, "a base row holds one entry of an index inside it",
                 "leave out `container` and `each`");
    }
    if (index.copies_mode != CopiesMode::none || !index.constants.empty()) {
        complain(index, reading, "an index inside the base row has no copies",
                 "leave out `copies` and `constants`: they lie beside it");
    }
    if (index.lossy) {
        complain(index, reading, "an index inside the base row is not lossy",
                 "each base row has its own entry");
    }
    if (!index.version_of.empty()) {
        complain(index, reading, "an index inside the base row has no older versions",
                 "say what is accepted as a choice of templates: [{ when = …, use = … }]");
    }
    if (index.expires.given()) {
        complain(index, reading, "an index inside the base row does not expire by itself",
                 "say `expires` of the base");
    }
}

}  // namespace idxfsck::audit::language
