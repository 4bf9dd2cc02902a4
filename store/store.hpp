// store/store.hpp
//
// A store opened for reading and writing: what a repair, an undo and a load are given.
//
// Where capabilities().snapshot is false, a Store reads what was last written, its own writes
// included. Where it is true, a write shows only after refresh().

#pragma once

#include "store/reader.hpp"
#include "store/writer.hpp"

namespace idxfsck::store {

class Store : public Reader, public Writer {};

}  // namespace idxfsck::store
