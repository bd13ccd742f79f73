// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/sshds.hpp"

#include "core/wire/frame.hpp"

namespace launch {
namespace {

constexpr uint32_t most_closed = 2;

}  // namespace

Login Sshds::answer(NodeIndex node, Login login) {
    if (are_ == Are::quiet || login.answer != Login::Answer::accepts) return login;
    login.noise = some_noise();
    if (are_ != Are::overloaded) return login;
    if (closed_[node] == most_closed || one_of(2)) {
        closed_[node] = 0;
        return login;
    }
    ++closed_[node];
    return {Login::Answer::closes};
}

/// Lines, what looks like the beginning of a link, or much of anything.
std::string Sshds::some_noise() {
    switch (draw(4)) {
        case 0: return {};
        case 1: return "Welcome!\n" + std::string(draw(200), '*') + "\n";
        case 2: return std::string(link_magic.substr(0, draw(link_magic.size())));
        default: return std::string(draw(3000), static_cast<char>(draw(256)));
    }
}

}  // namespace launch
