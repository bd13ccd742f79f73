// SPDX-License-Identifier: MIT
#include "modex/pmix/server/regex_bytes.hpp"

#include <charconv>
#include <cstring>
#include <string_view>

namespace launch {
namespace {

constexpr std::string_view blob = "blob:";
constexpr std::string_view component = "component=";
constexpr std::string_view size_is = "size=";
/// A million hosts of 60 letters each, not compressed.
constexpr size_t most = 64u << 20;

/// N of "size=N:"; 0 for any other text.
size_t announced(std::string_view field) {
    if (!field.starts_with(size_is) || !field.ends_with(':')) return 0;
    field.remove_prefix(size_is.size());
    size_t size = 0;
    const auto end = std::from_chars(field.data(), field.data() + field.size(), size).ptr;
    return *end == ':' && size <= most ? size : 0;
}

}  // namespace

std::string regex_bytes(const char* regex) {
    const std::string_view text = regex;
    if (text != blob) return std::string(text);
    const std::string_view maker = regex + text.size() + 1;
    if (!maker.starts_with(component)) return std::string(text);
    const std::string_view size = maker.data() + maker.size() + 1;
    const char* const bytes = size.data() + size.size() + 1;
    return {regex, static_cast<size_t>(bytes - regex) + announced(size)};
}

}  // namespace launch
