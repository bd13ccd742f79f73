// SPDX-License-Identifier: MIT
#include "core/wire/stage_messages.hpp"

namespace launch {

void encode_stage(Encoder& out, const StageSpec& stage) {
    out.flag(stage.keep).text(stage.token).number(stage.files.size());
    for (const auto& file : stage.files)
        out.text(file.source).text(file.dest).number(file.size).number(file.mode);
}

StageSpec decode_stage(Decoder& in) {
    StageSpec stage;
    stage.keep = in.flag();
    stage.token = in.text();
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        StagedFile file;
        file.source = in.text();
        file.dest = in.text();
        file.size = in.number();
        file.mode = in.number32();
        // Sizes are added up: all of them together must stay a number.
        if (file.dest.empty() || file.size > (uint64_t{1} << 56)) in.fail();
        stage.files.push_back(std::move(file));
    }
    return stage;
}

std::string SegmentMessage::encode() const {
    return Encoder{}.number(number).number(checksum).raw(bytes).take();
}

std::optional<SegmentMessage> SegmentMessage::decode(std::string_view payload) {
    Decoder in(payload);
    SegmentMessage message;
    message.number = in.number();
    message.checksum = in.number();
    message.bytes = in.rest();
    return checked(in, message);
}

std::string WantedMessage::encode() const {
    return Encoder{}.number(next).number(limit).flag(restart).take();
}

std::optional<WantedMessage> WantedMessage::decode(std::string_view payload) {
    Decoder in(payload);
    WantedMessage message;
    message.next = in.number();
    message.limit = in.number();
    message.restart = in.flag();
    if (message.limit < message.next) in.fail();
    return checked(in, message);
}

}  // namespace launch
