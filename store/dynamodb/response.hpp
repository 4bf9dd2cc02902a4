// store/dynamodb/response.hpp
//
// What stands in the answers to Scan, BatchGetItem and writes, from bytes that are not trusted.
//
// Shape    Items are JSON texts of their own; item.hpp reads them.
// Errors   Parsing gives the value or why not. An answer that lacks what it must have is refused:
//          no list of items is no proof that there are none.
// Threads  Plain functions and values.
// Source   Amazon DynamoDB API Reference, Scan, BatchGetItem, TransactWriteItems.

#pragma once

#include <map>
#include <vector>

#include "store/bytes.hpp"
#include "store/json/decoded.hpp"

namespace idxfsck::store {

// Is this a whole JSON object, whatever is in it?
bool is_json_object(BytesView body);

struct ScanAnswer {
    std::vector<Bytes> items;
    std::optional<Bytes> last_key;  // nothing: this was the end
    double units = 0.0;             // of capacity consumed
};

Decoded<ScanAnswer> scan_answer(BytesView body);

struct BatchAnswer {
    std::map<Bytes, std::vector<Bytes>> items;        // by table
    std::map<Bytes, std::vector<Bytes>> unprocessed;  // keys, by table
    std::map<Bytes, double> units;                    // by table; "" if the answer names none
};

Decoded<BatchAnswer> batch_answer(BytesView body);

// The units that a write has cost, by table; "" if the answer names none. None: it does not say.
std::map<Bytes, double> consumed_units(BytesView body);

// Why a part of a transaction was the reason that all of it was cancelled; code "None": it was not.
struct CancellationReason {
    Bytes code;
    Bytes message;  // the service's words; often none
};

// Those in a TransactionCanceledException, one a part of the transaction.
Decoded<std::vector<CancellationReason>> cancellation_reasons(BytesView body);

}  // namespace idxfsck::store
