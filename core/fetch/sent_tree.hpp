// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace launch {

/// Takes the next bytes of a stream. False: nobody wants more of it.
using WriteBytes = std::function<bool(std::string_view bytes)>;

/// Reads a file or a folder with all that is in it, and writes it as records (records.hpp). `path`
/// itself may be a link, which is followed; below it links are sent as links. If it cannot be read
/// the stream ends with a FetchedFault; what cannot be read below it is named and left out. Holds
/// one piece of a file at a time. Returns true when all was read and written. Blocks.
bool send_tree(const std::string& path, const WriteBytes& write);

}  // namespace launch
