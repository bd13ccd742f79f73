#include "modex/front/printable.hpp"

namespace launch {
namespace {

void append_hex(unsigned char byte, std::string& out) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\x";
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 0xf]);
}

}  // namespace

std::string printable(std::string_view bytes, size_t limit) {
    std::string out;
    for (const char c : bytes.substr(0, limit)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n') {
            out += "\\n";
        } else if (c == '\\') {
            out += "\\\\";
        } else if (byte < 0x20 || byte >= 0x7f) {
            append_hex(byte, out);
        } else {
            out.push_back(c);
        }
    }
    if (bytes.size() > limit) out += "...";
    return out;
}

std::string to_trace(bool from_rank, std::string_view bytes) {
    return (from_rank ? "-> " : "<- ") + printable(bytes, max_trace);
}

}  // namespace launch
