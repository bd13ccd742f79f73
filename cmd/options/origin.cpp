#include "cmd/options/origin.hpp"

namespace launch {

std::string place_of(const Origin& origin) {
    return origin.file + ":" + std::to_string(origin.line) + ":" + std::to_string(origin.column);
}

std::string named(const Origin& origin) {
    return origin.line == 0 ? origin.name : origin.name + " (" + place_of(origin) + ")";
}

}  // namespace launch
