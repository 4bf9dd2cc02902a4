// Promised: CSV is read as RFC 4180 has it, each row once, wherever the file is cut; what is not so
// is a damaged row or an error, and never another row.
// Method: small files written out, and random ones against a reader of characters, one by one.

#include <catch2/catch.hpp>

#include <random>

#include "json_lines.hpp"
#include "store/error.hpp"
#include "store/files/files_reader.hpp"

using namespace idxfsck::store;

namespace {

// "id=a name=x" for each row, "! cause" for each damaged one, in the order of the file.
class Words : public RowSink {
public:
    void row(const RowView& row) override {
        Bytes word = "id=" + Bytes{row.key[0].payload};
        AttributeCursor cursor{row.attributes};
        while (cursor.next()) {
            word += " " + Bytes{cursor.name()} + "=";
            if (cursor.value().kind == Kind::text) word += Bytes{cursor.value().payload};
            else word += Bytes{kind_name(cursor.value().kind)} + ":" + readable(cursor.value());
        }
        words.push_back(word);
    }
    void damaged(BytesView name) override { words.push_back("! " + Bytes{name}); }
    bool page_end(const Position&) override { return true; }

    std::vector<Bytes> words;

private:
    static Bytes readable(const ValueView& value) {
        if (value.kind == Kind::number) return Bytes{value.payload};
        if (value.kind == Kind::int32 || value.kind == Kind::int64) {
            return std::to_string(value.as_integer());
        }
        return to_hex(value.payload);
    }
};

struct Table {
    TestFolder folder;
    FileTable declared{"t", {"id"}, {"t.csv"}, FileFormat::by_name, Shape::automatic, {}};

    std::vector<Bytes> words(BytesView text, std::size_t pieces = 1) {
        folder.file("t.csv", text);
        const FilesReader reader{folder.path(""), {declared}};
        Words sink;
        for (const Partition& piece : reader.split("t", pieces)) {
            reader.scan("t", piece, {}, sink);
        }
        return sink.words;
    }
};

using Lines = std::vector<Bytes>;

}  // namespace

TEST_CASE("fields of CSV are texts, quoted or not") {
    Table table;
    CHECK(table.words("id,a,b\n1,x,y\n") == Lines{"id=1 a=x b=y"});
    CHECK(table.words("\xef\xbb\xbfid,a\r\n1,x\r\n2,y") == Lines{"id=1 a=x", "id=2 a=y"});
    CHECK(table.words("\"id\",\"a,b\"\n\"1\",\"x\"\"y\"\n") == Lines{"id=1 a,b=x\"y"});
    CHECK(table.words("id,a\n1,\"two\r\nlines, and a comma\"\r\n") ==
          Lines{"id=1 a=two\r\nlines, and a comma"});
    CHECK(table.words("id,a\n1, x \n") == Lines{"id=1 a= x "});
    CHECK(table.words("id,a\n1,\xc3\xa9\n") == Lines{"id=1 a=\xc3\xa9"});
    CHECK(table.words("id,a\n\n1,x\n\r\n\n2,y\n\n") == Lines{"id=1 a=x", "id=2 a=y"});
    CHECK(table.words("id,a\n").empty());
    CHECK(table.words("id,a").empty());
    CHECK(table.words("a,id\n\"\"\"\",\"\"\"\"\"\"\n") == Lines{"id=\"\" a=\""});
}

TEST_CASE("an empty field of CSV is absent and a quoted one is not, and the spec may say else") {
    Table table;
    const BytesView text = "id,a,b\n1,,\"\"\n2,NULL,\"NULL\"\n";
    CHECK(table.words(text) == Lines{"id=1 b=", "id=2 a=NULL b=NULL"});
    table.declared.csv.empty_is_text = true;
    table.declared.csv.null_word = "NULL";
    CHECK(table.words(text) == Lines{"id=1 a= b=", "id=2 a=null: b=NULL"});
}

TEST_CASE("columns of CSV have the kinds that the spec gives them") {
    Table table;
    table.declared.csv.types = {{"n", Kind::number},   {"i", Kind::int32},
                                {"l", Kind::int64},    {"b", Kind::boolean},
                                {"d", Kind::date_time}, {"x", Kind::binary}};
    CHECK(table.words("id,n,i,l,b,d,x\n"
                      "1,1.50,-7,9000000000,true,0001-01-01T00:00:00.0000001Z,YQ==\n"
                      "2,,,,,,\n") ==
          Lines{"id=1 b=boolean:01 d=date_time:0100000000000000 i=int32:-7 l=int64:9000000000 "
                "n=number:1.50 x=binary:61",
                "id=2"});
    const auto cause = [&](BytesView fields) {
        const Lines words = table.words("id,n,i,l,b,d,x\n1," + Bytes{fields} + "\n");
        REQUIRE(words.size() == 1);
        return words[0].substr(words[0].find(": ") + 2);
    };
    CHECK(cause("1.5.,1,1,true,,") == "bad number");
    CHECK(cause("1,2147483648,1,true,,") == "not a 32-bit integer");
    CHECK(cause("1,1,x,true,,") == "not a 64-bit integer");
    CHECK(cause("1,1,1,yes,,") == "neither true nor false");
    CHECK(cause("1,1,1,true,yesterday,").find("date") != Bytes::npos);
    CHECK(cause("1,1,1,true,,?") == "bad base64");
    CHECK(cause("\"\",1,1,true,,") == "bad number");
}

TEST_CASE("what is no row of CSV is damaged, named by its place, and the next one is read") {
    Table table;
    const auto damaged = [&](BytesView record) {
        const Lines words = table.words("id,a\n1,x\n" + Bytes{record} + "\n2,y\n");
        REQUIRE(words.size() == 3);
        CHECK(words[0] == "id=1 a=x");
        CHECK(words[2] == "id=2 a=y");
        const Bytes head = "! t.csv at byte 9: ";
        REQUIRE(words[1].substr(0, head.size()) == head);
        return words[1].substr(head.size());
    };
    CHECK(damaged("3") == "more or fewer fields than the header has");
    CHECK(damaged("3,x,y") == "more or fewer fields than the header has");
    CHECK(damaged("3,5\" pipe") == "a quote within a field");
    CHECK(damaged("3,\"x\" ") == "something behind a closing quote");
    CHECK(damaged("3,\"x\"y\"") == "something behind a closing quote");
    CHECK(damaged("3,\xe9") == "text that is not UTF-8");
    CHECK(damaged(",x") == "a key attribute is missing");
    CHECK(table.words("id,a\n1,x\n2,\"y\n3,z\n") ==
          Lines{"id=1 a=x", "! t.csv at byte 9: a quote that is not closed"});
}

TEST_CASE("a CSV file without a header that names its columns is an error") {
    Table table;
    for (const BytesView text :
         {"", "\n\n", "id,id\n1,2\n", "id,\n1,2\n", "name,a\n1,2\n", "i\"d,a\n", "\"id,a\n1,2\n"}) {
        CAPTURE(text);
        REQUIRE_THROWS_AS(table.words(text), Error);
    }
    table.declared.csv.types = {{"agee", Kind::number}};
    REQUIRE_THROWS_WITH(table.words("id,age\n1,2\n"), Catch::Contains("column=agee"));
}

TEST_CASE("fields of CSV may stand between other separators") {
    Table table;
    table.declared.csv.separator = ';';
    CHECK(table.words("id;a\n1;x,y\n") == Lines{"id=1 a=x,y"});
    Table tabs;
    tabs.folder.file("t.tsv", "id\ta\n1\tx,y\n");
    tabs.declared.files = {};
    const FilesReader reader{tabs.folder.path(""), {tabs.declared}};
    Words sink;
    reader.scan("t", reader.split("t", 1).at(0), {}, sink);
    CHECK(sink.words == Lines{"id=1 a=x,y"});
}

TEST_CASE("a CSV file gives the same rows wherever it is cut, line ends inside of quotes or not") {
    const unsigned seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    const std::vector<Bytes> pieces{"a", "b,", "\n", "\"\"", "\r\n", ",", "\xc3\xa9", "long text "};
    Table table;
    for (int round = 0; round < 60; ++round) {
        Bytes text = "id,name\r\n";
        Lines expected;
        const int rows = static_cast<int>(random() % 40);
        for (int row = 0; row < rows; ++row) {
            Bytes field;
            for (std::size_t count = random() % 12; count > 0; --count) {
                field += pieces[random() % pieces.size()];
            }
            Bytes name;
            for (std::size_t at = 0; at < field.size(); ++at) {
                name += field[at];
                if (field[at] == '"') ++at;
            }
            text += std::to_string(row) + ",\"" + field + "\"\r\n";
            expected.push_back("id=" + std::to_string(row) + " name=" + name);
        }
        for (const std::size_t cuts : {1, 2, 3, 7, 50}) {
            CAPTURE(text, cuts);
            REQUIRE(table.words(text, cuts) == expected);
        }
    }
}

TEST_CASE("where quotes do not pair up, a cut is found out and never read as other rows") {
    Table table;
    Bytes text = "id,a\n";
    for (int row = 0; row < 40; ++row) text += std::to_string(row) + ",5\" by \"4\n";
    const Lines whole = table.words(text);
    REQUIRE(whole.size() == 40);
    text = "id,a\n1,5\" pipe\n";
    for (int row = 2; row < 200; ++row) text += std::to_string(row) + ",\"x\ny\"\n";
    const Lines one = table.words(text);
    for (std::size_t cuts = 2; cuts < 30; ++cuts) {
        CAPTURE(cuts);
        Lines words;
        Bytes trouble;
        try {
            words = table.words(text, cuts);
        } catch (const Error& error) {
            trouble = error.text();
        }
        if (trouble.empty()) {
            REQUIRE(words == one);
        } else {
            REQUIRE(trouble == "a row lies across a cut: the quotes of the file do not pair up");
        }
    }
}

TEST_CASE("records of CSV longer than what is read at once are read whole") {
    Table table;
    const Bytes wide(700'000, 'w');
    CHECK(table.words("id,a\n1," + wide + "\n2,\"" + wide + "\n\"\n3,x\n", 3) ==
          Lines{"id=1 a=" + wide, "id=2 a=" + wide + "\n", "id=3 a=x"});
}
