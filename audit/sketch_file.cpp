#include "audit/sketch_file.hpp"

#include <array>

#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

constexpr store::BytesView magic = "idxfsck sketch 1\n";

// What stands at the end, where it can be read before the rest: three words, begin, end and gaps,
// and the digest of the share.
constexpr std::size_t tail_words = 3;
constexpr std::size_t digest_size = 32;
constexpr std::size_t tail_size = tail_words * sizeof(std::uint64_t) + digest_size;

std::uint64_t word_at(store::BytesView bytes, std::size_t number) {
    std::uint64_t word = 0;
    bytes.copy(reinterpret_cast<char*>(&word), sizeof word, number * sizeof word);
    return word;
}

std::uint64_t gaps_count(const ScanResult& scan) {
    std::uint64_t count = scan.walk.gaps.size();
    for (const auto& worker : scan.workers) {
        for (const TableCounts& table : worker->tables) count += table.rows_damaged;
    }
    return count;
}

}  // namespace

void save_sketch(const std::string& path, const SketchHead& head, const Programs& programs,
                 const Engines& engines, const ScanResult& scan) {
    ScanWorker sum{0, programs, head.parameters.head.seed};
    for (const auto& worker : scan.workers) sum.add(*worker);
    sum.sort_damaged();
    StateWriter writer{path};
    writer.raw(magic);
    save_parameters(writer, head.parameters);
    writer.number(head.share.number);
    writer.number(head.share.count);
    save_walk(writer, scan.walk);
    sum.save(writer);
    for (Reconciler* reconciler : engines.reconcilers()) {
        reconciler->save(writer, Places::dropped);
    }
    const store::Bytes digest = writer.digest();
    writer.words(std::array{static_cast<std::uint64_t>(head.begin_ms),
                            static_cast<std::uint64_t>(head.end_ms), gaps_count(scan)});
    writer.raw(digest);
    writer.commit();
}

SketchReader::SketchReader(const std::string& path) : reader_{path} {
    if (!reader_.begins_with(magic)) {
        throw store::Error{"this is no sketch, or one of another version of idxfsck",
                           store::Trouble::usage}
            .with("file", path)
            .hint("make one with `idxfsck audit SPEC --sketch-out FILE`");
    }
    head_.parameters = load_parameters(reader_);
    head_.share.number = reader_.number();
    head_.share.count = reader_.number();
    if (!head_.share.valid()) reader_.fail();
    const store::Bytes tail = reader_.last(tail_size);
    head_.begin_ms = static_cast<std::int64_t>(word_at(tail, 0));
    head_.end_ms = static_cast<std::int64_t>(word_at(tail, 1));
    head_.gaps_count = word_at(tail, 2);
    head_.digest = tail.substr(tail_words * sizeof(std::uint64_t));
}

ScanResult SketchReader::read_scan(const Programs& programs, const Engines& engines) {
    ScanResult scan;
    scan.walk = load_walk(reader_);
    if (!scan.walk.rest.empty()) reader_.fail();
    if (scan.walk.partitions.size() != programs.tables.size()) reader_.fail();
    scan.workers.push_back(
        std::make_unique<ScanWorker>(0, programs, head_.parameters.head.seed));
    scan.workers.back()->load(reader_);
    for (Reconciler* reconciler : engines.reconcilers()) reconciler->load(reader_);
    if (reader_.raw(tail_size).size() != tail_size || !reader_.at_end()) reader_.fail();
    return scan;
}

}  // namespace idxfsck::audit
