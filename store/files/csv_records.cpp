#include "store/files/csv_records.hpp"

#include <cstring>

#include "store/error.hpp"
#include "store/json/line_reader.hpp"
#include "store/json/row_parser.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

static_assert(line_padding >= csv_block_bytes);

CsvRecords::CsvRecords(TextWindow& window, char separator)
    : window_{window}, specials_{separator} {}

CsvRecords::Step CsvRecords::next() {
    for (;;) {
        if (window_.rest().empty()) {
            expected_ = nullptr;
            if (!window_.more()) return Step::end;
        }
        begin_ = window_.offset();
        const Parsed parsed = parse();
        if (parsed != Parsed::cut) {
            const Step step = finish(parsed);
            if (step == Step::record && is_blank()) continue;
            return step;
        }
        if (window_.rest().size() > line_bytes_max_default) {
            throw Error{"a record of rows is too long"}
                .with("file", window_.input().file())
                .with("offset", std::to_string(begin_))
                .with("limit_bytes", std::to_string(line_bytes_max_default));
        }
        if (window_.more()) continue;
        problem_ = "a quote that is not closed";
        size_ = window_.rest().size();
        return finish(Parsed::damaged);
    }
}

CsvRecords::Step CsvRecords::finish(Parsed parsed) {
    const bool beyond_ascii = specials_.take_beyond_ascii();
    window_.drop(size_);
    expected_ = window_.begin();
    expected_end_ = window_.end();
    if (parsed == Parsed::damaged) {
        expected_ = nullptr;
        return Step::damaged;
    }
    if (!beyond_ascii || is_utf8({record_, size_})) return Step::record;
    problem_ = "text that is not UTF-8";
    return Step::damaged;
}

// The walk is a copy: it stays in registers, and is given up where the record is not whole.
CsvRecords::Parsed CsvRecords::parse() {
    record_ = window_.begin();
    const char* const end = window_.end();
    if (record_ != expected_ || end != expected_end_) specials_.restart(record_, end);
    expected_ = nullptr;
    CsvSpecials specials = specials_;
    fields_count_ = 0;
    const char* at = record_;
    for (;;) {
        const char* stop = specials.next();
        if (stop == end) return Parsed::cut;
        // Written in place: a copy of what was just put together costs more than all else here.
        if (fields_count_ == fields_.size()) fields_.emplace_back();
        CsvField& field = fields_[fields_count_++];
        field.begin = static_cast<std::uint32_t>(at - record_);
        field.end = static_cast<std::uint32_t>(stop - record_);
        field.quoted = false;
        field.doubled = false;
        if (*stop == '"') {
            if (stop != at) return parse_damaged(stop, end, "a quote within a field");
            const Parsed parsed = take_quoted(specials, at, stop, field);
            if (parsed != Parsed::whole) return parsed;
        }
        at = stop + 1;
        if (*stop == '\n') break;
    }
    specials_ = specials;
    size_ = static_cast<std::size_t>(at - record_);
    CsvField& last = fields_[fields_count_ - 1];
    if (!last.quoted && last.end > last.begin && record_[last.end - 1] == '\r') --last.end;
    return Parsed::whole;
}

// `stop` is moved to what ends the field.
CsvRecords::Parsed CsvRecords::take_quoted(CsvSpecials& specials, const char* begin,
                                           const char*& stop, CsvField& field) {
    const char* const end = specials.end();
    const char* quote = nullptr;
    for (;;) {
        quote = specials.next();
        if (quote == end || quote + 1 == end) return Parsed::cut;
        if (*quote != '"') continue;
        if (quote[1] != '"') break;
        field.doubled = true;
        specials.next();
    }
    stop = specials.next();
    if (stop == end) return Parsed::cut;
    const bool before_feed = quote[1] == '\r' && stop == quote + 2 && *stop == '\n';
    if (*stop == '"' || (stop != quote + 1 && !before_feed)) {
        return parse_damaged(quote + 1, end, "something behind a closing quote");
    }
    field.quoted = true;
    field.begin = static_cast<std::uint32_t>(begin + 1 - record_);
    field.end = static_cast<std::uint32_t>(quote - record_);
    return Parsed::whole;
}

CsvRecords::Parsed CsvRecords::parse_damaged(const char* from, const char* end,
                                             std::string_view problem) {
    const void* feed = std::memchr(from, '\n', static_cast<std::size_t>(end - from));
    if (feed == nullptr) return Parsed::cut;
    problem_ = problem;
    size_ = static_cast<std::size_t>(static_cast<const char*>(feed) + 1 - record_);
    return Parsed::damaged;
}

bool CsvRecords::is_blank() const {
    return fields_count_ == 1 && !fields_[0].quoted && fields_[0].begin == fields_[0].end;
}

BytesView CsvRecords::text(const CsvField& field) const {
    char* const begin = record_ + field.begin;
    std::size_t size = field.end - field.begin;
    if (field.doubled) {
        char* to = begin;
        for (const char* from = begin; from < begin + size; ++from) {
            *to++ = *from;
            if (*from == '"') ++from;
        }
        size = static_cast<std::size_t>(to - begin);
    }
    return {begin, size};
}

}  // namespace idxfsck::store
