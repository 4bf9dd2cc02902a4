#include "repair/journal.hpp"

#include "repair/journal_json.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

using store::Json;
using store::Trouble;

// How every journal begins, so that a file of another kind is never taken for a torn one.
constexpr std::string_view opening = "{\"idxfsck\":\"journal\",";
constexpr std::size_t header_bytes_max = 64 << 10;

store::Error damaged(std::uint64_t record, std::string_view problem) {
    store::Error error{"the journal is damaged", Trouble::refused};
    error.with("record", std::to_string(record)).with("problem", problem);
    error.hint("restore the journal from a copy, or compare the rows by hand: nothing was written");
    return error;
}

store::Error no_journal(std::string_view problem) {
    store::Error error{"this file is no journal that can be read", Trouble::refused};
    error.with("problem", problem).hint("name the journal.ndjson that `repair --apply` wrote");
    return error;
}

// The object of one line; nothing, with the reason in `problem`, if the line is not what it was.
std::optional<Json> open_line(std::string_view line, std::string& digest, std::string& problem) {
    if (line.size() > journal_line_bytes_max) {
        problem = "the line is too long";
        return std::nullopt;
    }
    const std::optional<std::string> body = unseal(line, digest);
    if (!body) {
        problem = "its digest does not follow from the record before it";
        return std::nullopt;
    }
    std::optional<Json> json = audit::parse_object(*body);
    if (!json) problem = "it is no JSON object";
    return json;
}

JournalHeader header_of_line(std::string_view line, std::string& digest) {
    std::string problem;
    const std::optional<Json> json = open_line(line, digest, problem);
    if (!json) throw no_journal(problem);
    auto header = header_from_json(*json);
    if (const auto* why = std::get_if<std::string>(&header)) throw no_journal(*why);
    return std::get<JournalHeader>(std::move(header));
}

// Is this what a crash leaves of the last append? Its end is missing, or blocks of it that never
// came to the disk and read as zeros. Nothing was written to the store on its word.
bool is_torn(std::string_view tail) {
    const std::size_t end = tail.find('\n');
    if (end == std::string_view::npos) return true;
    return end + 1 == tail.size() && tail.find('\0') != std::string_view::npos;
}

// The same of the very first append: the file is a piece of a header and nothing else.
bool is_torn_header(std::string_view text) {
    const std::string_view begin = text.substr(0, opening.size());
    const std::string_view came = begin.substr(0, begin.find('\0'));
    return text.size() <= header_bytes_max && came == opening.substr(0, came.size()) &&
           is_torn(text);
}

bool same_journal(const JournalHeader& a, const JournalHeader& b) {
    return a.purpose == b.purpose && a.plan_digest == b.plan_digest && a.stores == b.stores;
}

}  // namespace

std::optional<JournalContents> read_journal(std::string_view text) {
    const std::size_t header_end = text.find('\n');
    if (is_torn_header(text)) return std::nullopt;
    if (header_end == std::string_view::npos) throw no_journal("it does not begin as one");
    JournalContents contents;
    contents.header = header_of_line(text.substr(0, header_end), contents.digest);
    contents.whole_bytes = header_end + 1;
    while (contents.whole_bytes < text.size()) {
        const std::size_t end = text.find('\n', contents.whole_bytes);
        const std::uint64_t number = contents.records.size() + 1;
        std::string problem = "its end is missing";
        std::string digest = contents.digest;
        std::optional<Json> json;
        if (end != std::string_view::npos) {
            const std::size_t size = end - contents.whole_bytes;
            json = open_line(text.substr(contents.whole_bytes, size), digest, problem);
        }
        if (!json) {
            contents.torn = is_torn(text.substr(contents.whole_bytes));
            if (contents.torn) break;
            throw damaged(number, problem);
        }
        auto record = record_from_json(*json);
        if (const auto* why = std::get_if<std::string>(&record)) throw damaged(number, *why);
        contents.records.push_back(std::get<JournalRecord>(std::move(record)));
        contents.digest = std::move(digest);
        contents.whole_bytes = end + 1;
    }
    return contents;
}

Journal::Journal(std::unique_ptr<JournalFile> file, const JournalHeader& header)
    : file_{std::move(file)} {
    std::optional<JournalContents> contents = read_journal(file_->read());
    if (!contents) {
        file_->truncate(0);
        append(header_to_json(header).dump());
        sync();
        return;
    }
    if (!same_journal(contents->header, header)) {
        throw store::Error{"the journal is that of another plan", Trouble::refused}
            .with("journal_plan", contents->header.plan_digest)
            .with("plan", header.plan_digest)
            .hint("move the old journal away: it is what `idxfsck undo` needs for that plan");
    }
    if (contents->torn) file_->truncate(contents->whole_bytes);
    earlier_ = std::move(contents->records);
    digest_ = std::move(contents->digest);
    continued_ = true;
}

void Journal::append(const std::string& body) {
    buffer_.append(seal(body, digest_));
}

void Journal::intend(const Intent& intent) {
    const std::string body = record_to_json(intent).dump();
    if (body.size() > journal_line_bytes_max / 2) {
        throw store::Error{"a row is too large for the journal", Trouble::could_not_tell}
            .with("operation", intent.operation)
            .with("bytes", std::to_string(body.size()))
            .hint("leave it out with `--except` and mend it by hand");
    }
    append(body);
}

void Journal::done(const Done& done) { append(record_to_json(done).dump()); }

void Journal::sync() {
    // After a failure nobody knows what of the buffer is in the file: nothing more may follow it.
    if (broken_) throw store::Error{"the journal failed before and takes no more records"};
    if (buffer_.empty()) return;
    broken_ = true;
    file_->append(buffer_);
    file_->sync();
    broken_ = false;
    buffer_.clear();
}

}  // namespace idxfsck::repair
