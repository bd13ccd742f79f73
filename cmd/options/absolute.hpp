#pragma once

#include <string>

namespace launch {

/// The path as it is found from the folder; itself where it is absolute or the folder is empty.
std::string absolute(const std::string& path, const std::string& folder);

}  // namespace launch
