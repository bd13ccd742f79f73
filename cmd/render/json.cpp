// SPDX-License-Identifier: MIT
#include "cmd/render/json.hpp"

#include <algorithm>

namespace launch {
namespace {

/// nlohmann's default throws an exception if a text, such as an argument, is not UTF-8.
std::string dumped(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_list_of_objects(const Json& value) {
    return value.is_array() && !value.empty() && value.front().is_object();
}

std::string value_text(const Json& value, const std::string& indent);

/// On one line, except lists of objects in it.
std::string object_text(const Json& object, const std::string& indent) {
    if (std::none_of(object.begin(), object.end(), is_list_of_objects)) return dumped(object);
    std::string text = "{";
    for (const auto& [key, value] : object.items())
        text += (text.size() > 1 ? "," : "") + dumped(key) + ":" + value_text(value, indent);
    return text + "}";
}

/// Each object of a list on a line of its own.
std::string value_text(const Json& value, const std::string& indent) {
    if (!is_list_of_objects(value)) return dumped(value);
    const std::string inner = indent + "  ";
    std::string text = "[";
    for (const Json& each : value)
        text += (text.size() > 1 ? ",\n" : "\n") + inner + object_text(each, inner);
    return text + "\n" + indent + "]";
}

}  // namespace

std::string json_text(const Json& object) {
    std::string text = "{";
    for (const auto& [key, value] : object.items())
        text += (text.size() > 1 ? ",\n  " : "\n  ") + dumped(key) + ": " + value_text(value, "  ");
    return text + "\n}\n";
}

std::string json_line(const Json& object) {
    return dumped(object) + "\n";
}

}  // namespace launch
