// store/http/url_text.hpp
//
// Text as a part of an address or of a form.
//
// Source   RFC 3986, section 2.

#pragma once

#include "store/bytes.hpp"

namespace idxfsck::store {

// Percent-encodes all but letters, digits and -._~.
Bytes url_encoded(BytesView text);

}  // namespace idxfsck::store
