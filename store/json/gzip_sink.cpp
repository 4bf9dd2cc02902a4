// The compressing sink of store/json/byte_sink.hpp. Level 1 of igzip: about as small as gzip -3,
// and faster than rows can be read.

#include <vector>

#include <isa-l/igzip_lib.h>

#include "store/error.hpp"
#include "store/json/byte_sink.hpp"

namespace idxfsck::store {

namespace {

class GzipSink : public ByteSink {
public:
    explicit GzipSink(std::unique_ptr<ByteSink> inner)
        : inner_{std::move(inner)}, level_buffer_(ISAL_DEF_LVL1_DEFAULT), out_(out_bytes) {
        isal_deflate_init(&stream_);
        stream_.level = 1;
        stream_.level_buf = level_buffer_.data();
        stream_.level_buf_size = static_cast<std::uint32_t>(level_buffer_.size());
        stream_.gzip_flag = IGZIP_GZIP;
        stream_.flush = NO_FLUSH;
    }

    void write(BytesView bytes) override {
        while (!bytes.empty()) {
            const BytesView part = bytes.substr(0, part_bytes_max);
            compress(part);
            bytes.remove_prefix(part.size());
        }
    }

    void finish() override {
        stream_.end_of_stream = 1;
        compress({});
        inner_->finish();
    }

private:
    static constexpr std::size_t out_bytes = std::size_t{64} * 1024;
    static constexpr std::size_t part_bytes_max = std::size_t{1} << 30;

    void compress(BytesView part) {
        stream_.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(part.data()));
        stream_.avail_in = static_cast<std::uint32_t>(part.size());
        do {
            stream_.next_out = out_.data();
            stream_.avail_out = static_cast<std::uint32_t>(out_.size());
            ensure(isal_deflate(&stream_) == COMP_OK, "igzip compresses what it is given");
            const std::size_t size = out_.size() - stream_.avail_out;
            inner_->write({reinterpret_cast<const char*>(out_.data()), size});
        } while (stream_.avail_out == 0 || stream_.avail_in > 0);
    }

    std::unique_ptr<ByteSink> inner_;
    std::vector<std::uint8_t> level_buffer_;
    std::vector<std::uint8_t> out_;
    isal_zstream stream_{};
};

}  // namespace

std::unique_ptr<ByteSink> gzip_into(std::unique_ptr<ByteSink> inner) {
    return std::make_unique<GzipSink>(std::move(inner));
}

}  // namespace idxfsck::store
