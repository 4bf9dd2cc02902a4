// store/files/file_cut.hpp
//
// Where the files of a table can be cut so that the pieces hold about as many bytes each.
//
// A compressed file is not cut: nothing of it can be read but from its start. A file of an export
// is a piece by itself, too. A plain file of NDJSON is cut behind any line end. A CSV file is cut
// behind a line end that is not inside quotes: in a well-formed file that is one before which there
// is an even number of quotes, doubled ones counted as two, so the quotes are counted, at the speed
// of memory. In one that is not well formed the count may mislead; then a row lies across the cut,
// which whoever reads the piece before it finds out (file_rows.hpp).
//
// Errors   Throws Error if a file cannot be read.
// Threads  Plain functions.

#pragma once

#include "store/files/file_range.hpp"

namespace idxfsck::store {

// Pieces of `range` that hold each row of it once; at most two times `target`, beside the files of
// an export.
std::vector<FileRange> cut_range(const FileRange& range, const std::vector<FilePart>& parts,
                                 std::size_t target);

}  // namespace idxfsck::store
