// Whole files of rows, plain and gzip.
//
// Promised: a file that is damaged is refused by name and place, whatever its bytes; memory stays
// bounded by the longest line allowed; what was compressed comes back. Method: the input as a file,
// loaded in the shape that is found; then the input compressed and read again.

#include "store/error.hpp"
#include "store/json/byte_sink.hpp"
#include "store/json/load.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::Bytes;
using store::BytesView;

class Counter : public store::RowAcceptor {
public:
    void accept(std::span<const store::ValueView> key, BytesView attributes) override {
        store::ensure(key.size() == 1, "a row has the key that was asked for");
        store::ensure(store::well_formed(attributes), "a loaded row is well formed");
        ++rows;
    }
    std::uint64_t rows = 0;
};

class Collector : public store::ByteSink {
public:
    explicit Collector(Bytes& bytes) : bytes_{bytes} {}
    void write(BytesView bytes) override { bytes_.append(bytes); }
    void finish() override {}

private:
    Bytes& bytes_;
};

void load(const std::string& path) {
    store::LoadRequest request;
    request.files = {path};
    request.key_names = {"id"};
    request.line_bytes_max = 4096;
    Counter counter;
    try {
        const store::LoadCount count = store::load_rows(request, counter);
        store::ensure(count.rows == counter.rows, "every row is handed over");
    } catch (const store::Error&) {
        // What is wrong with the file.
    }
}

Bytes compressed(BytesView bytes) {
    Bytes out;
    const auto sink = store::gzip_into(std::make_unique<Collector>(out));
    sink->write(bytes);
    sink->finish();
    return out;
}

Bytes read_all(const std::string& path) {
    store::InputStream stream{path};
    Bytes out;
    char block[1000];
    while (const std::size_t size = stream.read(block, sizeof block)) out.append(block, size);
    return out;
}

}  // namespace

void fuzz_rows_file(BytesView bytes) {
    load(MemoryFile{bytes}.path());
    const MemoryFile file{compressed(bytes)};
    store::ensure(read_all(file.path()) == bytes, "what was compressed comes back");
    load(file.path());
}

}  // namespace idxfsck::tests
