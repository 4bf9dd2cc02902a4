// Journals on disk.
//
// Promised: a file that is no journal, or a damaged one, is refused; a journal that was read is
// written as one that is the same, its steps back can be listed, and a cut end is dropped. Method:
// the input as a file; then its lines as records, each sealed by the digest that belongs to it.

#include "repair/journal_json.hpp"
#include "repair/undo_steps.hpp"
#include "store/error.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/repair/journal_memory.hpp"

namespace idxfsck::tests {

namespace {

using store::BytesView;

// As repair and undo write it.
std::string written(const repair::JournalContents& contents) {
    std::string text;
    repair::Journal journal{std::make_unique<MemoryJournalFile>(text), contents.header};
    for (const repair::JournalRecord& record : contents.records) {
        if (const auto* intent = std::get_if<repair::Intent>(&record)) journal.intend(*intent);
        if (const auto* done = std::get_if<repair::Done>(&record)) journal.done(*done);
    }
    journal.sync();
    return text;
}

void check_journal(BytesView text) {
    try {
        const auto contents = repair::read_journal(text);
        if (!contents) return;
        store::ensure(contents->whole_bytes <= text.size(), "what is whole is in the file");
        const std::size_t steps = repair::steps_of(*contents).size();
        store::ensure(steps <= contents->records.size(), "a step takes one write back");
        const auto again = repair::read_journal(written(*contents));
        store::ensure(again && again->header == contents->header &&
                          again->records == contents->records,
                      "a journal comes back as it was");
    } catch (const store::Error&) {
        // Why it is none.
    }
}

std::string sealed(BytesView input) {
    std::string text;
    std::string digest;
    for (const BytesView line : lines_of(input)) {
        // What no object can be stays as it is: a torn or a foreign line.
        const bool object = line.starts_with('{') && line.ends_with('}') && line.size() > 2;
        if (object) text.append(repair::seal(std::string{line}, digest));
        else text.append(line).append("\n");
    }
    return text;
}

}  // namespace

void fuzz_journal(BytesView input) {
    check_journal(input);
    const std::string text = sealed(input);
    check_journal(text);
    check_journal(BytesView{text}.substr(0, text.size() - std::min<std::size_t>(text.size(), 2)));
}

}  // namespace idxfsck::tests
