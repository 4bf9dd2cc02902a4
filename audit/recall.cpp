#include "audit/recall.hpp"

#include <algorithm>
#include <unordered_set>

#include "audit/fingerprint.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// Keeps the entries of one row whose mark is asked for.
class PickSink : public EntrySink {
public:
    using Asked = std::function<bool(std::uint64_t mark)>;

    PickSink(Fingerprinter& fingerprinter, const Asked& asked, std::vector<Suspect>& out)
        : fingerprinter_{fingerprinter}, asked_{asked}, out_{out} {}

    // Of the next row.
    void set(std::size_t index, Side side, const store::RowView& row) {
        index_ = index;
        side_ = side;
        row_ = &row;
        picked_.clear();
    }

    void entry(const EntryView& entry) override {
        const std::uint64_t mark = fingerprinter_.of(entry).low;
        if (!asked_(mark) || !picked_.insert(mark).second) return;
        Suspect suspect{index_, side_, false, Entry{entry}, {}, mark};
        for (const store::ValueView& part : row_->key) suspect.row.emplace_back(part);
        out_.push_back(std::move(suspect));
    }

    void damage(Damage, store::BytesView) override {}

private:
    Fingerprinter& fingerprinter_;
    const Asked& asked_;
    std::vector<Suspect>& out_;
    std::size_t index_ = 0;
    Side side_ = Side::base;
    const store::RowView* row_ = nullptr;
    std::unordered_set<std::uint64_t> picked_;  // an entry that the row holds twice comes once
};

bool is_asked(RowClass what, Derivers of) {
    return what == RowClass::real || (of == Derivers::also_expiring && what == RowClass::expiring);
}

// Runs one row through one index, on one side.
void pick(const Programs& programs, std::size_t index, Side side, const store::RowView& row,
          Scratch& scratch, PickSink& sink, Derivers of = Derivers::real) {
    sink.set(index, side, row);
    const IndexProgram& program = *programs.indexes[index].program;
    if (side == Side::base) {
        const BaseProgram& base = *programs.bases[programs.indexes[index].base].program;
        if (is_asked(base.classify(row, scratch), of)) program.derive(row, scratch, sink);
    } else if (program.owns(row, scratch)) {
        program.decode(row, scratch, sink);
    }
}

// The wanted rows of one page.
class RecallPageSink : public PageSink {
public:
    RecallPageSink(const Programs& programs, std::span<const Wanted> wanted, std::uint64_t seed,
                   std::vector<Suspect>& out)
        : PageSink{[](std::uint64_t) { return false; }},
          programs_{programs},
          wanted_{wanted},
          fingerprinter_{seed},
          out_{out} {}

    bool done() const { return wanted_.empty(); }

protected:
    void take(const store::RowView& row, std::uint64_t number) override {
        while (!wanted_.empty() && PageBook::row_of(wanted_.front().place) == number) {
            const Wanted& want = wanted_.front();
            const PickSink::Asked asked = [&](std::uint64_t mark) { return mark == want.mark; };
            PickSink sink{fingerprinter_, asked, out_};
            pick(programs_, want.index, want.side, row, scratch_, sink);
            wanted_ = wanted_.subspan(1);
        }
    }

private:
    const Programs& programs_;
    std::span<const Wanted> wanted_;
    Fingerprinter fingerprinter_;
    Scratch scratch_;
    std::vector<Suspect>& out_;
};

// Marks of one index and side.
using Marks = std::vector<std::unordered_set<std::uint64_t>>;

// Every row of a table, against all marks.
class RecallTableSink : public PageSink {
public:
    RecallTableSink(const Programs& programs, std::size_t table, const Marks& base_marks,
                    const Marks& index_marks, std::uint64_t seed, std::vector<Suspect>& out,
                    Gate gate, Derivers of = Derivers::real)
        : PageSink{std::move(gate)},
          programs_{programs},
          table_{programs.tables[table]},
          base_marks_{base_marks},
          index_marks_{index_marks},
          fingerprinter_{seed},
          out_{out},
          of_{of} {}

protected:
    void take(const store::RowView& row, std::uint64_t) override {
        for (const std::size_t base : table_.bases) {
            for (const std::size_t index : programs_.bases[base].indexes) {
                pick_marked(index, Side::base, base_marks_[index], row);
            }
        }
        for (const std::size_t index : table_.indexes) {
            pick_marked(index, Side::index, index_marks_[index], row);
        }
    }

private:
    void pick_marked(std::size_t index, Side side, const std::unordered_set<std::uint64_t>& marks,
                     const store::RowView& row) {
        if (marks.empty()) return;
        const PickSink::Asked asked = [&](std::uint64_t mark) { return marks.contains(mark); };
        PickSink sink{fingerprinter_, asked, out_};
        pick(programs_, index, side, row, scratch_, sink, of_);
    }

    const Programs& programs_;
    const TableProgram& table_;
    const Marks& base_marks_;
    const Marks& index_marks_;
    Fingerprinter fingerprinter_;
    Scratch scratch_;
    std::vector<Suspect>& out_;
    Derivers of_;
};

// Those at the front that lie in one page.
std::span<const Wanted> of_first_page(std::span<const Wanted> wanted) {
    const std::uint64_t page = PageBook::page_of(wanted.front().place);
    const auto end = std::find_if(wanted.begin(), wanted.end(), [&](const Wanted& want) {
        return PageBook::page_of(want.place) != page;
    });
    return wanted.first(static_cast<std::size_t>(end - wanted.begin()));
}

// Pages that are read for one, before those of its rows that did not turn up are given up.
constexpr std::size_t pages_for_one_max = 3;

// Reads pages of a table of which rows may have moved.
class PlaceRecaller {
public:
    PlaceRecaller(const Programs& programs, const TableReaders& readers, std::uint64_t seed)
        : programs_{programs}, readers_{readers}, seed_{seed} {
        result_.pages.resize(programs.tables.size());
    }

    // `book`: null if there is none of that worker.
    void recall(const PageBook* book, std::span<const Wanted> of_page) {
        if (book != nullptr && book->holds(of_page.front().place)) {
            const Page& page = book->page(of_page.front().place);
            try {
                if (read(*book, page, of_page)) return;
            } catch (const store::Error& error) {
                if (error.trouble() == store::Trouble::stopped) throw;
                result_.gaps.push_back({programs_.tables[page.table].schema.name,
                                        book->partition(page).label, error.what()});
            }
        }
        result_.unknown.insert(result_.unknown.end(), of_page.begin(), of_page.end());
    }

    Recalled take() { return std::move(result_); }

private:
    // True if all were found again, or the page was read to its end.
    bool read(const PageBook& book, const Page& page, std::span<const Wanted> of_page) {
        Marks base_marks(programs_.indexes.size());
        Marks index_marks(programs_.indexes.size());
        for (const Wanted& want : of_page) {
            (want.side == Side::base ? base_marks : index_marks)[want.index].insert(want.mark);
        }
        const std::size_t found_before = result_.suspects.size();
        const std::optional<store::Position> end = book.end_of(of_page.front().place);
        std::size_t pages = 0;
        bool covered = false;
        RecallTableSink* self = nullptr;
        const auto gate = [&](std::uint64_t) {
            ++pages;
            covered = (end && self->position() == end) ||
                      result_.suspects.size() - found_before >= of_page.size();
            return !covered && pages < pages_for_one_max;
        };
        RecallTableSink sink{programs_, page.table, base_marks, index_marks, seed_,
                             result_.suspects, gate};
        self = &sink;
        const TableProgram& table = programs_.tables[page.table];
        const store::ScanOptions options{&table.projection, page.begin};
        const auto ended = readers_[page.table]->scan(table.schema.name, book.partition(page),
                                                      options, sink);
        result_.pages[page.table] += pages;
        return covered || ended == store::ScanEnd::complete;
    }

    const Programs& programs_;
    const TableReaders& readers_;
    std::uint64_t seed_;
    Recalled result_;
};

template <typename Item>
void append(std::vector<Item>& to, std::vector<Item> more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<Suspect> recall_pages(const Programs& programs, const TableReaders& readers,
                                  const std::vector<std::unique_ptr<ScanWorker>>& workers,
                                  std::span<const Wanted> wanted, std::uint64_t seed) {
    std::vector<Suspect> suspects;
    while (!wanted.empty()) {
        const Place first = wanted.front().place;
        const auto of_page = of_first_page(wanted);
        const PageBook& book = workers[PageBook::worker_of(first)]->book;
        const Page& page = book.page(first);
        const TableProgram& table = programs.tables[page.table];
        RecallPageSink sink{programs, of_page, seed, suspects};
        const store::ScanOptions options{&table.projection, page.begin};
        readers[page.table]->scan(table.schema.name, book.partition(page), options, sink);
        store::ensure(sink.done(), "a snapshot shows the same rows twice");
        wanted = wanted.subspan(of_page.size());
    }
    return suspects;
}

Recalled recall_tables(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                       const WalkSettings& settings, std::span<const Wanted> wanted,
                       std::uint64_t seed, Derivers of) {
    Marks base_marks(programs.indexes.size());
    Marks index_marks(programs.indexes.size());
    for (const Wanted& want : wanted) {
        (want.side == Side::base ? base_marks : index_marks)[want.index].insert(want.mark);
    }
    std::vector<std::vector<Suspect>> of_workers(pool.workers());
    const auto make_sink = [&](const Stretch& stretch, std::size_t worker, PageSink::Gate gate) {
        return std::make_unique<RecallTableSink>(programs, stretch.table, base_marks, index_marks,
                                                 seed, of_workers[worker], std::move(gate), of);
    };
    const WalkResult walk = run_walk_pass(programs, readers, pool, settings, make_sink);
    Recalled result{{}, walk.gaps, {}, {}};
    for (std::vector<Suspect>& suspects : of_workers) {
        std::move(suspects.begin(), suspects.end(), std::back_inserter(result.suspects));
    }
    return result;
}

Recalled recall_places(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                       const std::vector<std::unique_ptr<ScanWorker>>& workers,
                       std::span<const Wanted> wanted, std::uint64_t seed) {
    std::vector<PlaceRecaller> recallers(pool.workers(), {programs, readers, seed});
    while (!wanted.empty()) {
        const auto of_page = of_first_page(wanted);
        pool.add([&, of_page](std::size_t worker) {
            const std::size_t owner = PageBook::worker_of(of_page.front().place);
            const PageBook* const book = owner < workers.size() ? &workers[owner]->book : nullptr;
            recallers[worker].recall(book, of_page);
        });
        wanted = wanted.subspan(of_page.size());
    }
    pool.wait();
    Recalled result;
    result.pages.resize(programs.tables.size());
    for (PlaceRecaller& recaller : recallers) {
        Recalled part = recaller.take();
        append(result.suspects, std::move(part.suspects));
        append(result.gaps, std::move(part.gaps));
        append(result.unknown, std::move(part.unknown));
        for (std::size_t table = 0; table < part.pages.size(); ++table) {
            result.pages[table] += part.pages[table];
        }
    }
    return result;
}

}  // namespace idxfsck::audit
