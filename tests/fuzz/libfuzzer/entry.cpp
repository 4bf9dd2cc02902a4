// The entry that libFuzzer calls, of the target that the build names.

#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    idxfsck::tests::IDXFSCK_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
