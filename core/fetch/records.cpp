// SPDX-License-Identifier: MIT
#include "core/fetch/records.hpp"

#include <utility>

#include "core/base/base_name.hpp"
#include "core/base/codec.hpp"

namespace launch {
namespace {

/// Also the places of the types in FetchRecord.
enum class Type : uint8_t {
    folder,
    folder_end,
    file,
    piece,
    file_end,
    link,
    other,
    fault,
    all,
    unread
};

Encoder& write_record(Encoder& out, const FetchedFolder& folder) {
    return out.text(folder.name).number(folder.mode);
}
Encoder& write_record(Encoder& out, const FetchedFile& file) {
    return out.text(file.name).number(file.mode);
}
Encoder& write_record(Encoder& out, const FetchedPiece& piece) {
    return out.raw(piece.bytes);
}
Encoder& write_record(Encoder& out, const FetchedFileEnd& end) {
    return out.number(end.checksum);
}
Encoder& write_record(Encoder& out, const FetchedLink& link) {
    return out.text(link.name).text(link.target);
}
Encoder& write_record(Encoder& out, const FetchedOther& other) {
    return out.text(other.name);
}
Encoder& write_record(Encoder& out, const FetchedFault& fault) {
    return out.text(fault.path).text(fault.cause);
}
Encoder& write_record(Encoder& out, const FetchedUnread& unread) {
    return out.text(unread.path).text(unread.cause);
}
Encoder& write_record(Encoder& out, const FetchedFolderEnd&) {
    return out;
}
Encoder& write_record(Encoder& out, const FetchedAll&) {
    return out;
}

std::string read_text(Decoder& in) {
    const auto text = in.text();
    if (text.size() > fetch::most_text) in.fail();
    return std::string(text);
}

std::string read_name(Decoder& in) {
    auto name = read_text(in);
    if (!is_single_name(name)) in.fail();
    return name;
}

uint32_t read_mode(Decoder& in) {
    const uint32_t mode = in.number32();
    if ((mode & ~fetch::permissions) != 0) in.fail();
    return mode;
}

FetchedLink read_link(Decoder& in) {
    FetchedLink link{read_name(in), read_text(in)};
    const bool can_be = !link.target.empty() && link.target.find('\0') == link.target.npos;
    if (!can_be) in.fail();
    return link;
}

FetchRecord read_record(Decoder& in) {
    switch (decode_enum(in, Type::unread)) {
        case Type::folder: {
            auto name = read_name(in);
            return FetchedFolder{std::move(name), read_mode(in)};
        }
        case Type::file: {
            auto name = read_name(in);
            return FetchedFile{std::move(name), read_mode(in)};
        }
        case Type::fault: {
            auto path = read_text(in);
            return FetchedFault{std::move(path), read_text(in)};
        }
        case Type::unread: {
            auto path = read_text(in);
            return FetchedUnread{std::move(path), read_text(in)};
        }
        case Type::folder_end: return FetchedFolderEnd{};
        case Type::piece: return FetchedPiece{in.rest()};
        case Type::file_end: return FetchedFileEnd{in.number()};
        case Type::link: return read_link(in);
        case Type::other: return FetchedOther{read_name(in)};
        case Type::all: break;
    }
    return FetchedAll{};
}

}  // namespace

std::string last_name(std::string_view path) {
    while (path.ends_with('/'))
        path.remove_suffix(1);
    return std::string(base_name(path));
}

bool is_single_name(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == name.npos &&
           name.find('\0') == name.npos;
}

std::string encode_fetch(const FetchRecord& record) {
    Encoder body;
    body.number(record.index());
    std::visit([&](const auto& each) { write_record(body, each); }, record);
    Encoder whole;
    return whole.text(body.take()).take();
}

void FetchDecoder::add(std::string_view bytes) {
    buffer_.erase(0, std::exchange(read_, 0));
    if (!malformed_) buffer_.append(bytes);
}

std::optional<FetchRecord> FetchDecoder::next() {
    if (malformed_) return std::nullopt;
    const auto rest = std::string_view(buffer_).substr(read_);
    Decoder head(rest);
    const uint64_t size = head.number();
    constexpr size_t longest_number = 10;
    if (!head.ok()) {
        malformed_ = rest.size() >= longest_number;
        return std::nullopt;
    }
    const auto after = head.rest();
    malformed_ = size > fetch::most_record;
    if (malformed_ || after.size() < size) return std::nullopt;
    Decoder body(after.substr(0, size));
    auto record = read_record(body);
    if (!body.done()) {
        malformed_ = true;
        return std::nullopt;
    }
    read_ += rest.size() - after.size() + size;
    return record;
}

}  // namespace launch
