#pragma once

#include <cstdint>
#include <optional>

#include "core/push/image.hpp"
#include "core/push/stream_watch.hpp"

namespace launch {

struct SentImage {
    uint64_t bytes = 0;          ///< that the stream has taken; fewer than all: it has ended
    std::optional<Error> error;  ///< or the image could not be read
};

/// The bootstrap line and the image, piece by piece as the stream takes them.
awaitable<SentImage> send_image(ByteStream& stream, const Image& image, StreamWatch& watch,
                                std::chrono::seconds limit);

}  // namespace launch
