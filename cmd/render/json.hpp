// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace launch {

/// A JSON value (RFC 8259) whose keys stay in the order in which they were added.
using Json = nlohmann::ordered_json;

/// Returns a list of what `make` makes of each.
template <class Items, class Make>
Json json_list(const Items& items, Make make) {
    Json list = Json::array();
    for (const auto& item : items)
        list.push_back(make(item));
    return list;
}

/// The object as text: a line for each of its keys and for each object in its lists, so that a plan
/// of many hosts stays readable. Bytes that are not UTF-8 become U+FFFD. Does not throw.
std::string json_text(const Json& object);

/// Returns the object on one line.
std::string json_line(const Json& object);

}  // namespace launch
