// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

#include "cmd/options/settings.hpp"

namespace launch {

/// A format, and the function that makes a command's result a text in it.
using Rendering = std::pair<Format, std::function<std::string()>>;

/// Returns the result of a command in the format of --format. The first rendering is the usual one:
/// it also stands for formats that the command does not have.
inline std::string rendered(Format chosen, std::initializer_list<Rendering> views) {
    for (const auto& [format, text] : views)
        if (format == chosen) return text();
    return views.begin()->second();
}

}  // namespace launch
