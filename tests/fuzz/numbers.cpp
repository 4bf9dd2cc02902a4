// Decimal numbers: text, canonical spelling, bytes.
//
// Promised: text that is no number is refused; the canonical spelling of a number is a number of
// the same value, and its own canonical spelling; encoded bytes give the number back; no other
// bytes are taken. Method: the input as text, as encoded bytes, and as a number put together of it.

#include "store/error.hpp"
#include "store/json/scalar_text.hpp"
#include "store/number_codec.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::Bytes;
using store::BytesView;
using store::Decimal;

void check_number(BytesView text) {
    Bytes scratch;
    const std::optional<Decimal> decimal = store::parse_decimal(text, scratch);
    Bytes canonical_scratch;
    const store::Value value = store::Value::number(Bytes{text});
    const auto canonical = store::canonical_number(value, canonical_scratch);
    store::ensure(decimal.has_value() == canonical.has_value(), "what is a number has a spelling");
    if (!decimal) return;
    Bytes again_scratch;
    const auto again = store::parse_decimal(*canonical, again_scratch);
    store::ensure(again && *again == *decimal, "the canonical spelling is of the same value");
    const store::Value spelled = store::Value::number(Bytes{*canonical});
    Bytes twice_scratch;
    const auto twice = store::canonical_number(spelled, twice_scratch);
    store::ensure(twice == spelled.payload, "the canonical spelling is its own");

    Bytes encoded;
    store::append_number(encoded, *decimal);
    BytesView rest{encoded};
    Decimal taken;
    Bytes digits;
    store::ensure(store::take_number(rest, taken, digits) && rest.empty(),
                  "an encoded number is taken whole");
    store::ensure(taken == *decimal, "an encoded number comes back as it was");
}

void check_hostile(BytesView bytes) {
    BytesView rest = bytes;
    Decimal taken;
    Bytes digits;
    if (!store::take_number(rest, taken, digits)) return;
    Bytes encoded;
    store::append_number(encoded, taken);
    store::ensure(encoded == bytes.substr(0, bytes.size() - rest.size()),
                  "only the bytes that encoding makes are taken");
}

// Other scalars that are read from text.
void check_scalars(BytesView text) {
    static_cast<void>(store::is_json_number(text));
    static_cast<void>(store::from_hex(text));
    if (const auto real = store::real_from_text(text)) {
        Bytes written;
        store::append_real(written, *real);
        const auto again = store::real_from_text(written);
        store::ensure(again && (*again == *real || (*real != *real && *again != *again)),
                      "a real comes back as it was");
    }
    if (const auto ticks = store::date_time_from_text(text)) {
        Bytes written;
        store::append_date_time(written, *ticks);
        const auto again = store::date_time_from_text(written);
        store::ensure(again && *again == *ticks, "a time comes back as it was");
    }
    if (const auto guid = store::guid_from_text(text)) {
        Bytes written;
        store::append_guid(written, *guid);
        store::ensure(store::guid_from_text(written) == guid, "a guid comes back as it was");
    }
    const std::size_t valid = store::valid_utf8_size(text);
    store::ensure(valid <= text.size() && store::is_utf8(text.substr(0, valid)),
                  "the prefix that is UTF-8 is UTF-8");
}

}  // namespace

void fuzz_numbers(BytesView bytes) {
    check_number(bytes);
    check_hostile(bytes);
    check_scalars(bytes);
    check_number(Input{bytes}.number_text());
}

}  // namespace idxfsck::tests
