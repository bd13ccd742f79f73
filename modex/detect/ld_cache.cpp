// SPDX-License-Identifier: MIT
#include "modex/detect/ld_cache.hpp"

#include <cstdint>
#include <cstring>

namespace launch {
namespace {

/// The form that glibc has written since 2.2, as the whole file since 2.32.
constexpr std::string_view magic = "glibc-ld.so.cache1.1";
constexpr std::size_t header_size = 48;
constexpr std::size_t entry_size = 24;
constexpr std::size_t key_offset = 4;
constexpr std::size_t value_offset = 8;

uint32_t number_at(std::string_view bytes, std::size_t offset) {
    uint32_t number = 0;
    std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}

/// Whether the text at an offset is this one, to its end.
bool is_text_at(std::string_view bytes, std::size_t offset, std::string_view text) {
    if (offset >= bytes.size()) return false;
    const auto rest = bytes.substr(offset);
    return rest.size() > text.size() && rest.starts_with(text) && rest[text.size()] == '\0';
}

std::string text_at(std::string_view bytes, std::size_t offset) {
    if (offset >= bytes.size()) return {};
    const auto rest = bytes.substr(offset);
    const auto end = rest.find('\0');
    return end == std::string_view::npos ? std::string() : std::string(rest.substr(0, end));
}

}  // namespace

std::vector<std::string> find_in_ld_cache(std::string_view cache, std::string_view library) {
    std::vector<std::string> files;
    if (cache.size() < header_size || !cache.starts_with(magic)) return files;
    const std::size_t fitting = (cache.size() - header_size) / entry_size;
    const std::size_t count = number_at(cache, magic.size());
    for (std::size_t i = 0; i < count && i < fitting; ++i) {
        const std::size_t entry = header_size + i * entry_size;
        if (!is_text_at(cache, number_at(cache, entry + key_offset), library)) continue;
        auto file = text_at(cache, number_at(cache, entry + value_offset));
        if (file.starts_with('/')) files.push_back(std::move(file));
    }
    return files;
}

}  // namespace launch
