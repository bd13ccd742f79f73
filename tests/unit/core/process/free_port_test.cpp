// SPDX-License-Identifier: MIT
#include "core/process/free_port.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace launch {
namespace {

bool can_listen(uint16_t port) {
    const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    return bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
           listen(socket.get(), 1) == 0;
}

TEST(HeldPort, is_nobody_elses_while_it_is_held_and_free_at_once_then) {
    auto first = HeldPort::find();
    const auto second = HeldPort::find();
    ASSERT_TRUE(first && second);
    const uint16_t port = first->number();
    EXPECT_NE(port, second->number());
    EXPECT_FALSE(can_listen(port));
    first.reset();
    EXPECT_TRUE(can_listen(port));
}

}  // namespace
}  // namespace launch
