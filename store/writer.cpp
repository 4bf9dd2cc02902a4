#include "store/writer.hpp"

#include "store/error.hpp"

namespace idxfsck::store {

std::vector<WriteReply> Writer::write_all(std::span<const GuardedWrite> writes) {
    std::vector<WriteReply> replies;
    for (const GuardedWrite& one : writes) {
        WriteReply& reply = replies.emplace_back();
        try {
            reply.outcome = write(one);
        } catch (const Error& error) {
            reply.error = error.what();
        }
    }
    return replies;
}

std::optional<Bytes> Writer::batch_of(BytesView, const Key&) const { return std::nullopt; }

}  // namespace idxfsck::store
