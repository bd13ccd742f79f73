// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "core/io/stream_watch.hpp"
#include "core/push/image.hpp"

namespace launch {

/// Sends the image to one host, a piece at a time, and each when the host has written the one
/// before to its disk: so it is known how far it has come, and little is on its way.
class Push {
  public:
    Push(ByteStream& stream, const Image& image, StreamWatch& watch)
        : stream_(stream), image_(image), watch_(watch) {}

    /// The line that takes it in there, which waits for each piece for `limit`, and the first one.
    /// An Error: the image cannot be read. An end of the stream is none: the host may have said
    /// why.
    awaitable<Status> begin(std::chrono::seconds limit);
    /// The host has so much (the words of its line): the next piece, if there is one.
    awaitable<Status> go_on(std::string_view has);

    /// That were handed to the stream.
    uint64_t sent() const { return sent_; }
    /// That the host has.
    uint64_t taken() const { return taken_; }

  private:
    awaitable<Status> send_piece();
    awaitable<bool> write_all(std::span<const char> bytes);

    ByteStream& stream_;
    const Image& image_;
    StreamWatch& watch_;
    uint64_t sent_ = 0;
    uint64_t taken_ = 0;
};

}  // namespace launch
