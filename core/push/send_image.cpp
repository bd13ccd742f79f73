#include "core/push/send_image.hpp"

#include <algorithm>
#include <vector>

#include "core/push/bootstrap.hpp"

namespace launch {
namespace {

/// A node sends to all its children at once, and what queues a piece keeps room for one.
constexpr size_t piece_size = 16u << 10;

/// How much the stream has taken before it ended.
awaitable<size_t> write_all(ByteStream& stream, std::span<const char> bytes, StreamWatch& watch) {
    size_t taken = 0;
    while (taken < bytes.size()) {
        const size_t n = co_await stream.write_some(bytes.subspan(taken));
        if (n == 0) break;
        taken += n;
        watch.progress();
    }
    co_return taken;
}

}  // namespace

awaitable<SentImage> send_image(ByteStream& stream, const Image& image, StreamWatch& watch,
                                std::chrono::seconds limit) {
    SentImage sent;
    const std::string line = bootstrap_line({image.size(), image.checksum(), limit});
    const size_t said = co_await write_all(stream, line, watch);
    if (said < line.size()) co_return sent;
    std::vector<char> piece;
    while (sent.bytes < image.size()) {
        piece.resize(std::min<uint64_t>(piece_size, image.size() - sent.bytes));
        auto read = image.read(piece, sent.bytes);
        if (!read) {
            sent.error = std::move(read.error());
            stream.close();
            co_return sent;
        }
        const size_t taken = co_await write_all(stream, piece, watch);
        sent.bytes += taken;
        if (taken < piece.size()) co_return sent;
    }
    co_return sent;
}

}  // namespace launch
