#include "audit/checkpoint.hpp"

#include <algorithm>

#include "store/error.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::audit {

namespace {

constexpr store::BytesView magic = "idxfsck checkpoint 1\n";

}  // namespace

void save_head(StateWriter& writer, const CheckpointHead& head) {
    writer.bytes(head.spec_digest);
    writer.number(head.stores.size());
    for (const auto& [name, identity] : head.stores) {
        writer.bytes(name);
        writer.bytes(identity);
    }
    writer.number(head.only.size());
    for (const std::string& name : head.only) writer.bytes(name);
    writer.number(head.seed);
    writer.number(static_cast<std::uint64_t>(head.now_ms));
    writer.number(static_cast<std::uint64_t>(head.begin_ms));
    writer.number(head.engines.size());
    for (const EngineShape& shape : head.engines) writer.number(shape_number(shape));
}

CheckpointHead load_head(StateReader& reader) {
    CheckpointHead head;
    head.spec_digest = reader.bytes();
    head.stores.resize(reader.count());
    for (auto& [name, identity] : head.stores) {
        name = reader.bytes();
        identity = reader.bytes();
    }
    head.only.resize(reader.count());
    for (std::string& name : head.only) name = reader.bytes();
    head.seed = reader.number();
    head.now_ms = static_cast<std::int64_t>(reader.number());
    head.begin_ms = static_cast<std::int64_t>(reader.number());
    head.engines.resize(reader.count());
    for (EngineShape& shape : head.engines) {
        const auto read = shape_of_number(reader.number());
        if (!read) reader.fail();
        shape = *read;
    }
    return head;
}

namespace {

void write_rest(StateWriter& writer, const std::vector<Stretch>& rest) {
    writer.number(rest.size());
    for (const Stretch& stretch : rest) {
        writer.number(stretch.table);
        writer.number(stretch.origin);
        writer.bytes(stretch.label);
        writer.bytes(stretch.partition.token);
        writer.bytes(stretch.partition.label);
        writer.number(stretch.resume ? 1 : 0);
        if (stretch.resume) writer.bytes(stretch.resume->token);
    }
}

std::vector<Stretch> read_rest(StateReader& reader) {
    std::vector<Stretch> rest(reader.count());
    for (Stretch& stretch : rest) {
        stretch.table = reader.number();
        stretch.origin = reader.number();
        stretch.label = reader.bytes();
        stretch.partition.token = reader.bytes();
        stretch.partition.label = reader.bytes();
        if (reader.number() != 0) stretch.resume = store::Position{reader.bytes()};
    }
    return rest;
}

}  // namespace

void save_walk(StateWriter& writer, const WalkResult& walk) {
    write_rest(writer, walk.rest);
    writer.number(walk.partitions.size());
    for (const PartitionCount& count : walk.partitions) {
        writer.number(count.cut);
        writer.number(count.failed.size());
        for (const std::size_t origin : count.failed) writer.number(origin);
    }
    writer.number(walk.gaps.size());
    for (const Gap& gap : walk.gaps) {
        writer.bytes(gap.table);
        writer.bytes(gap.partition);
        writer.bytes(gap.cause);
    }
}

WalkResult load_walk(StateReader& reader) {
    WalkResult walk;
    walk.rest = read_rest(reader);
    walk.partitions.resize(reader.count());
    for (PartitionCount& count : walk.partitions) {
        count.cut = reader.number();
        for (std::uint64_t left = reader.count(); left > 0; --left) {
            count.failed.insert(reader.number());
        }
    }
    walk.gaps.resize(reader.count());
    for (Gap& gap : walk.gaps) {
        gap.table = reader.bytes();
        gap.partition = reader.bytes();
        gap.cause = reader.bytes();
    }
    return walk;
}

bool are_shapes(const std::vector<EngineShape>& shapes, std::size_t indexes_count) {
    return shapes.size() == indexes_count &&
           std::all_of(shapes.begin(), shapes.end(), [](const EngineShape& shape) {
               return shape_of_number(shape_number(shape)) == shape;
           });
}

namespace {

// Does any engine hold places? They lead nowhere without the page books.
bool keeps_places(const std::vector<EngineShape>& shapes) {
    return std::any_of(shapes.begin(), shapes.end(), [](const EngineShape& shape) {
        return shape.journal || shape.sketch_cell_size == 0;
    });
}

}  // namespace

void save_checkpoint(const std::string& path, const CheckpointHead& head, const Engines& engines,
                     const ScanResult& scan) {
    StateWriter writer{path};
    writer.raw(magic);
    save_head(writer, head);
    save_walk(writer, scan.walk);
    writer.number(scan.workers.size());
    for (const auto& worker : scan.workers) worker->save(writer);
    if (keeps_places(head.engines)) {
        for (const auto& worker : scan.workers) worker->book.save(writer);
    }
    for (Reconciler* reconciler : engines.reconcilers()) reconciler->save(writer, Places::kept);
    writer.commit();
}

CheckpointReader::CheckpointReader(const std::string& path) : reader_{path} {
    if (reader_.raw(magic.size()) != magic) {
        throw store::Error{"this is no checkpoint, or one of another version of idxfsck"}.hint(
            "start the audit again without --resume");
    }
    head_ = load_head(reader_);
}

void CheckpointReader::check(const std::string& spec_digest,
                             const std::vector<std::pair<std::string, std::string>>& stores,
                             const std::vector<std::string>& only) const {
    const char* differs = nullptr;
    if (head_.spec_digest != spec_digest) differs = "spec";
    if (head_.stores != stores) differs = "store";
    if (head_.only != only) differs = "choice of indexes";
    if (differs == nullptr) return;
    throw store::Error{"the checkpoint is of another audit", store::Trouble::refused}
        .with("differs", differs)
        .hint("start the audit again without --resume");
}

const std::vector<EngineShape>& CheckpointReader::shapes(std::size_t indexes_count) const {
    if (!are_shapes(head_.engines, indexes_count)) reader_.fail();
    return head_.engines;
}

ScanResult CheckpointReader::read_scan(const Programs& programs, const Engines& engines) {
    ScanResult scan;
    scan.walk = load_walk(reader_);
    for (const Stretch& stretch : scan.walk.rest) {
        if (stretch.table >= programs.tables.size()) reader_.fail();
    }
    if (scan.walk.partitions.size() != programs.tables.size()) reader_.fail();
    for (std::uint64_t left = reader_.count(); left > 0; --left) {
        auto worker = std::make_unique<ScanWorker>(scan.workers.size(), programs, head_.seed);
        worker->load(reader_);
        for (std::size_t index = 0; index < worker->lanes.size(); ++index) {
            worker->lanes[index] = &engines.reconcilers()[index]->lane();
        }
        scan.workers.push_back(std::move(worker));
    }
    if (keeps_places(head_.engines)) {
        for (const auto& worker : scan.workers) {
            worker->book.load(reader_, programs.tables.size());
        }
    }
    for (Reconciler* reconciler : engines.reconcilers()) reconciler->load(reader_);
    if (!reader_.at_end()) reader_.fail();
    return scan;
}

}  // namespace idxfsck::audit
