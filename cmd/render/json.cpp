// SPDX-License-Identifier: MIT
#include "cmd/render/json.hpp"

namespace launch {
namespace {

/// nlohmann's default throws an exception if a text, such as an argument, is not UTF-8.
std::string dumped(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string value_text(const Json& value) {
    if (!value.is_array() || value.empty() || !value.front().is_object()) return dumped(value);
    std::string text = "[";
    for (const Json& each : value)
        text += (text.size() > 1 ? ",\n    " : "\n    ") + dumped(each);
    return text + "\n  ]";
}

}  // namespace

std::string json_text(const Json& object) {
    std::string text = "{";
    for (const auto& [key, value] : object.items())
        text += (text.size() > 1 ? ",\n  " : "\n  ") + dumped(key) + ": " + value_text(value);
    return text + "\n}\n";
}

std::string json_line(const Json& object) {
    return dumped(object) + "\n";
}

}  // namespace launch
