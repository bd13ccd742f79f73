// SPDX-License-Identifier: MIT
#include "core/wire/frame.hpp"

#include <algorithm>

namespace launch {
namespace {

Error protocol_error(std::string cause) {
    Error error;
    error.operation = "read from the peer";
    error.cause = std::move(cause);
    return error;
}

}  // namespace

uint32_t payload_length(std::string_view head) {
    uint32_t length = 0;
    for (size_t i = frame_head - 1; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(head[i]);
    return length;
}

bool is_broadcast(FrameType type) {
    switch (type) {
        case FrameType::signal:
        case FrameType::window:
        case FrameType::terminate:
        case FrameType::finish:
        case FrameType::pause:
        case FrameType::routes:
        case FrameType::want_contacts:
        case FrameType::end_job:
        case FrameType::survey:
        case FrameType::spawned:
        case FrameType::remove:
        case FrameType::start_ranks: return true;
        default: return false;
    }
}

bool is_of_job(FrameType type) {
    switch (type) {
        case FrameType::job:
        case FrameType::assignment:
        case FrameType::modex:
        case FrameType::peer:
        case FrameType::input:
        case FrameType::input_wanted:
        case FrameType::input_refused:
        case FrameType::segment:
        case FrameType::stage_wanted:
        case FrameType::staged:
        case FrameType::unready:
        case FrameType::refused:
        case FrameType::exits:
        case FrameType::fault:
        case FrameType::output:
        case FrameType::signal:
        case FrameType::window:
        case FrameType::terminate:
        case FrameType::end_job:
        case FrameType::survey:
        case FrameType::surveyed:
        case FrameType::spawn:
        case FrameType::spawned:
        case FrameType::costs:
        case FrameType::start_ranks: return true;
        default: return false;
    }
}

void encode_frame(FrameType type, std::string_view payload, std::string& out) {
    const auto length = static_cast<uint32_t>(payload.size());
    char header[frame_head];
    for (unsigned i = 0; i < 4; ++i)
        header[i] = static_cast<char>(length >> 8 * i & 0xff);
    header[4] = static_cast<char>(type);
    out.append(header, sizeof header).append(payload);
}

void FrameParser::feed(std::string_view bytes) {
    if (begin_ > 0 && (begin_ == buffer_.size() || begin_ > max_data)) {
        buffer_.erase(0, begin_);
        begin_ = 0;
    }
    buffer_.append(bytes);
}

bool FrameParser::skip_noise() {
    const size_t at = buffer_.find(link_magic);
    if (at == std::string::npos) {
        // Keep what may be the beginning of the magic; the rest is noise.
        const size_t keep = std::min(buffer_.size(), link_magic.size() - 1);
        const size_t noise = buffer_.size() - keep;
        noise_.append(buffer_, 0, noise);
        buffer_.erase(0, noise);
        return false;
    }
    noise_.append(buffer_, 0, at);
    begin_ = at + link_magic.size();
    greeted_ = true;
    return true;
}

Result<std::optional<Frame>> FrameParser::next() {
    if (!greeted_ && !skip_noise()) {
        if (noise_.size() > max_noise)
            return protocol_error("launch does not answer; the host printed other output");
        return std::optional<Frame>{};
    }
    const size_t available = buffer_.size() - begin_;
    if (available < frame_head) return std::optional<Frame>{};
    const uint32_t length = payload_length({buffer_.data() + begin_, frame_head});
    const auto type = static_cast<uint8_t>(buffer_[begin_ + 4]);
    if (length > max_frame)
        return protocol_error("the frame is too long: " + std::to_string(length) + " bytes");
    if (type == 0 || type > static_cast<uint8_t>(FrameType::last))
        return protocol_error("the frame has the unknown type " + std::to_string(type));
    if (available - frame_head < length) return std::optional<Frame>{};
    Frame frame{static_cast<FrameType>(type), buffer_.substr(begin_ + frame_head, length)};
    begin_ += frame_head + length;
    return std::optional<Frame>{std::move(frame)};
}

}  // namespace launch
