// tests/fuzz/target.hpp
//
// What is fuzzed: one function a target, given bytes from libFuzzer or from a seed file.
//
// Shape    A target reads its input as hostile and calls the code as the program would. What must
//          hold for every input is `store::ensure`d, which ends the program: libFuzzer then keeps
//          the input, and the test of the seeds fails.
// Errors   An Error of the code under test is an answer like any other; anything else that is
//          thrown is a finding.

#pragma once

#include "store/bytes.hpp"

namespace idxfsck::tests {

using Target = void (*)(store::BytesView input);

void fuzz_spec(store::BytesView input);
void fuzz_template(store::BytesView input);
void fuzz_condition(store::BytesView input);
void fuzz_ndjson(store::BytesView input);
void fuzz_rows_file(store::BytesView input);
void fuzz_csv(store::BytesView input);
void fuzz_values(store::BytesView input);
void fuzz_plan(store::BytesView input);
void fuzz_journal(store::BytesView input);
void fuzz_checkpoint(store::BytesView input);
void fuzz_sketch(store::BytesView input);
void fuzz_findings(store::BytesView input);
void fuzz_keys(store::BytesView input);
void fuzz_numbers(store::BytesView input);
void fuzz_rows(store::BytesView input);
void fuzz_dynamodb(store::BytesView input);
void fuzz_azure_tables(store::BytesView input);
void fuzz_azure_access(store::BytesView input);

}  // namespace idxfsck::tests
