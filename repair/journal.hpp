// repair/journal.hpp
//
// The durable record of a repair: every row as it was and as it shall be, before it is written.
//
// Shape    NDJSON, append only: a header, then records, each with a digest that is chained to the
//          one before it, so that none can be lost, added or moved unnoticed. Grammar and an
//          example: FORMATS.md. A last line without its end, or with zero bytes in it, is a
//          torn tail: ignored by readers, cut off by whoever continues. Anything else that does not
//          fit is damage.
// Errors   Error (refused) for damage, named by record, and for a journal of another plan; Error
//          (could_not_tell) when the disk fails: the caller must then not write to the store.
// Threads  One writer.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "repair/outcome.hpp"
#include "store/row.hpp"

namespace idxfsck::repair {

constexpr int journal_format_version = 1;
constexpr std::size_t journal_line_bytes_max = 64 << 20;
constexpr std::uint64_t journal_bytes_max = std::uint64_t{16} << 30;

struct JournalHeader {
    std::string purpose;      // "repair" or "undo"
    std::string plan_digest;  // of an undo too: that of the plan which the repair ran
    std::string spec_digest;
    std::vector<std::pair<std::string, std::string>> stores;  // name in the spec, identity
    std::int64_t started_ms = 0;
    std::string tool_version;

    friend bool operator==(const JournalHeader&, const JournalHeader&) = default;
};

// A write that is about to be tried.
struct Intent {
    std::string operation;  // id
    std::string store;      // name in the spec
    std::string table;
    store::Key key;
    std::optional<store::Row> before;
    std::optional<store::Row> after;  // its version is not known yet
    bool compensation = false;        // takes back the intent before it of the same operation

    friend bool operator==(const Intent&, const Intent&) = default;
};

// What became of the last intent of an operation; or of an operation that needed no write.
struct Done {
    std::string operation;
    Outcome outcome = Outcome::applied;
    // Of the row as read back after our write, if it has one; "" if it was written again by then.
    std::optional<store::Bytes> version;
    bool compensation = false;

    friend bool operator==(const Done&, const Done&) = default;
};

using JournalRecord = std::variant<Intent, Done>;

struct JournalContents {
    JournalHeader header;
    std::vector<JournalRecord> records;
    std::uint64_t whole_bytes = 0;  // up to the end of the last whole record
    bool torn = false;
    std::string digest;             // of the last record: where the chain goes on

    friend bool operator==(const JournalContents&, const JournalContents&) = default;
};

// Nothing if not even the header is whole: a journal that was torn at its birth, with no writes.
std::optional<JournalContents> read_journal(std::string_view text);
std::optional<JournalContents> load_journal(const std::string& path);

// Where the bytes go; tests and the simulator bring their own.
class JournalFile {
public:
    virtual ~JournalFile() = default;
    virtual std::string read() = 0;
    virtual void truncate(std::uint64_t bytes) = 0;
    virtual void append(std::string_view bytes) = 0;
    virtual void sync() = 0;
};

// A file of mode 0600, made if it is not there.
std::unique_ptr<JournalFile> open_journal_file(const std::string& path);

class Journal {
public:
    // Continues the journal in `file`, or begins one. A torn tail is cut off.
    Journal(std::unique_ptr<JournalFile> file, const JournalHeader& header);

    // What earlier runs wrote.
    const std::vector<JournalRecord>& earlier() const { return earlier_; }
    bool continued() const { return continued_; }

    // Both are kept in memory until sync().
    void intend(const Intent& intent);
    void done(const Done& done);
    // Every record so far survives a crash of the machine. After a failure the journal takes no
    // more.
    void sync();

private:
    void append(const std::string& body);

    std::unique_ptr<JournalFile> file_;
    std::vector<JournalRecord> earlier_;
    bool continued_ = false;
    bool broken_ = false;
    std::string digest_;  // of the last record
    std::string buffer_;
};

}  // namespace idxfsck::repair
