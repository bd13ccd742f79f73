#include "cmd/options/absolute.hpp"

namespace launch {

std::string absolute(const std::string& path, const std::string& folder) {
    if (path.starts_with('/') || folder.empty()) return path;
    return (folder == "/" ? folder : folder + "/") + path;
}

}  // namespace launch
