#include "store/json/load.hpp"

#include <algorithm>

#include "store/error.hpp"
#include "store/json/ndjson_reader.hpp"

namespace idxfsck::store {

namespace {

constexpr std::uint64_t rows_between_reports = 65'536;

// Takes rows apart into key and attributes. Keeps its buffers.
class KeySplit {
public:
    explicit KeySplit(const std::vector<Bytes>& key_names) : key_names_{key_names} {
        for (std::size_t place = 0; place < key_names.size(); ++place) {
            by_name_.push_back({key_names[place], place});
        }
        std::sort(by_name_.begin(), by_name_.end());
        key_.resize(key_names.size());
    }

    // What is wrong with the row, if anything.
    std::optional<LineProblem> split(std::span<const ParsedAttribute> row) {
        std::fill(key_.begin(), key_.end(), ValueView{});
        attributes_.clear();
        auto wanted = by_name_.begin();
        for (const ParsedAttribute& attribute : row) {
            while (wanted != by_name_.end() && wanted->first < attribute.name) ++wanted;
            if (wanted == by_name_.end() || wanted->first != attribute.name) {
                append_attribute(attribute);
                continue;
            }
            if (is_container(attribute.value.kind)) return container_problem(attribute);
            key_[wanted->second] = attribute.value;
        }
        return missing_problem();
    }

    std::span<const ValueView> key() const { return key_; }
    BytesView attributes() const { return attributes_; }

private:
    void append_attribute(const ParsedAttribute& attribute) {
        append_varint(attributes_, attribute.name.size());
        attributes_.append(attribute.name);
        append_element(attributes_, attribute.value);
    }

    static LineProblem container_problem(const ParsedAttribute& attribute) {
        return {"a key attribute that is a list, map or set", attribute.offset,
                Bytes{attribute.name}, Bytes{kind_name(attribute.value.kind)}};
    }

    std::optional<LineProblem> missing_problem() const {
        for (std::size_t place = 0; place < key_.size(); ++place) {
            if (key_[place].present()) continue;
            return LineProblem{"a key attribute is missing", 0, key_names_[place], {}};
        }
        return std::nullopt;
    }

    const std::vector<Bytes>& key_names_;
    std::vector<std::pair<BytesView, std::size_t>> by_name_;
    std::vector<ValueView> key_;
    Bytes attributes_;
};

void accept(RowAcceptor& acceptor, const KeySplit& row, const NdjsonReader& reader) {
    try {
        acceptor.accept(row.key(), row.attributes());
    } catch (Error& error) {
        error.with("file", reader.file()).with("line", std::to_string(reader.line()));
        throw;
    }
}

void check_key_names(std::vector<Bytes> names) {
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
        throw Error{"a key attribute is named twice", Trouble::usage}.with("attribute", *twice);
    }
    if (names.empty()) throw Error{"no key attribute is named", Trouble::usage};
}

}  // namespace

LoadCount load_rows(const LoadRequest& request, RowAcceptor& acceptor,
                    const LoadObserver& observer) {
    check_key_names(request.key_names);
    LoadCount count;
    KeySplit split{request.key_names};
    for (const std::string& file : request.files) {
        NdjsonReader reader{file, request.shape, request.line_bytes_max};
        const std::uint64_t bytes_before = count.bytes;
        while (reader.next()) {
            if (const auto problem = split.split(reader.attributes())) throw reader.error(*problem);
            accept(acceptor, split, reader);
            count.bytes = bytes_before + reader.bytes_read();
            if (++count.rows % rows_between_reports == 0 && observer) observer(count);
        }
        count.bytes = bytes_before + reader.bytes_read();
    }
    if (observer) observer(count);
    return count;
}

}  // namespace idxfsck::store
