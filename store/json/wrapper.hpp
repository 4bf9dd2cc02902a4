// store/json/wrapper.hpp
//
// The one-member objects that stand for what JSON has no type for, as far as reading them does not
// depend on the JSON library: {"$guid": "…"}, {"$int64": "…"}.
//
// Errors   Damage is a Decoded without a value.

#pragma once

#include "store/json/decoded.hpp"
#include "store/value.hpp"

namespace idxfsck::store {

enum class WrapperForm {
    none,     // no such wrapper
    text,     // one text: read_text_wrapper has it
    integer,  // $int32: a JSON integer
    flag,     // $absent: true
    texts,    // a set: an array of elements
    map,      // $map: an object whose members are members, whatever they are called
    members,  // $members: [[name, value], …], for names that are not UTF-8
    raw,      // $raw: {"kind": …, "payload": base64}
};

struct Wrapper {
    WrapperForm form = WrapperForm::none;
    Kind kind = Kind::absent;  // of the value that it stands for
};

// `name` with its '$'.
Wrapper find_wrapper(BytesView name);

// Is an object with this one member a wrapper, known or not?
constexpr bool looks_like_wrapper(BytesView name) { return name.starts_with('$'); }

Decoded<Value> read_text_wrapper(Kind kind, BytesView text);
Decoded<Value> read_raw_wrapper(BytesView kind, BytesView payload);

// Makes a set of the payloads, or says which rule of sets they break.
Decoded<Value> read_set(Kind kind, std::vector<Bytes> payloads);

// Makes a map, or says that a name comes twice.
Decoded<Value> read_map(std::vector<std::pair<Bytes, Value>> members);

}  // namespace idxfsck::store
