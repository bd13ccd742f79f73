// SPDX-License-Identifier: MIT
#include "modex/server/pmi_port.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "modex/server/loopback.hpp"
#include "modex/server/peer_user.hpp"
#include "tests/unit/core/harness/comes_true.hpp"
#include "tests/unit/core/harness/run_until.hpp"

namespace launch {
namespace {

/// A port with one rank expected, 7, and those who come to it.
class PmiPortTest : public testing::Test, protected PmiPortHandler {
  protected:
    PmiPortTest() {
        EXPECT_TRUE(port.open());
        id = port.invite(7);
    }
    ~PmiPortTest() override {
        asio::co_spawn(io, port.close(), [](std::exception_ptr failure) { EXPECT_FALSE(failure); });
        io.run();
    }

    bool came(PortArrival arrival) override {
        if (refusing) return false;
        arrivals.push_back(std::move(arrival));
        return true;
    }

    UniqueFd connect() {
        const auto address = port.address();
        const auto number = std::stoul(address.substr(address.find(':') + 1));
        auto socket = connect_to_loopback(static_cast<uint16_t>(number));
        EXPECT_TRUE(socket);
        return std::move(*socket);
    }
    /// The port has heard it, or has hung up.
    void say(const UniqueFd& socket, const std::string& bytes) {
        EXPECT_EQ(send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(bytes.size()));
        EXPECT_TRUE(port_comes_to([&] { return has_arrived(socket) || closed(socket); }));
        settle(io);
    }
    UniqueFd come_as_another_user(const std::string& bytes);
    std::string hello() const { return "cmd=initack pmiid=" + std::to_string(id) + "\n"; }
    /// The condition comes true while the port does all that it can do.
    template <class Condition>
    bool port_comes_to(const Condition& condition) {
        return comes_true([&] {
            settle(io);
            return condition();
        });
    }
    /// All that was said is where the port can read it.
    static bool has_arrived(const UniqueFd& socket) {
        int on_its_way = 0;
        return ioctl(socket.get(), SIOCOUTQ, &on_its_way) == 0 && on_its_way == 0;
    }
    /// The port has hung up.
    static bool closed(const UniqueFd& socket) {
        char byte = 0;
        return recv(socket.get(), &byte, 1, MSG_DONTWAIT) == 0 || errno == ECONNRESET;
    }
    bool closes(const UniqueFd& socket) {
        return port_comes_to([&] { return closed(socket); });
    }
    bool refuses(uint64_t count) {
        return port_comes_to([&] { return port.refused() >= count; }) && port.refused() == count;
    }

    asio::io_context io{1};
    PmiPort port{io.get_executor(), *this};
    uint32_t id = 0;
    bool refusing = false;
    std::vector<PortArrival> arrivals;
};

TEST_F(PmiPortTest, a_rank_comes_with_all_that_it_said) {
    const UniqueFd rank = connect();
    say(rank, hello().substr(0, 9));
    EXPECT_TRUE(arrivals.empty());
    say(rank, hello().substr(9) + "cmd=in");
    ASSERT_EQ(arrivals.size(), 1u);
    EXPECT_EQ(arrivals[0].rank, 7u);
    EXPECT_EQ(arrivals[0].id, id);
    EXPECT_EQ(arrivals[0].said, hello() + "cmd=in");
    EXPECT_FALSE(closed(rank));
    EXPECT_EQ(port.refused(), 0u);
}

TEST_F(PmiPortTest, strangers_are_refused_and_counted) {
    const std::string wrong[] = {"GET / HTTP/1.0\r\n",
                                 "\n",
                                 "cmd=init pmi_version=1\n",
                                 "cmd=initack pmiid=7\n",
                                 "cmd=initack\n",
                                 "cmd=init" + std::string(100'000, 'k')};
    for (const auto& bytes : wrong) {
        const UniqueFd stranger = connect();
        say(stranger, bytes);
        EXPECT_TRUE(closes(stranger)) << bytes.substr(0, 30);
    }
    UniqueFd half = connect();
    say(half, "cmd=init");
    half.reset();
    EXPECT_TRUE(refuses(std::size(wrong) + 1)) << port.refused();
    EXPECT_TRUE(arrivals.empty());
}

TEST_F(PmiPortTest, who_leaves_without_a_word_was_refused_nothing) {
    connect().reset();
    say(connect(), hello());
    EXPECT_EQ(arrivals.size(), 1u) << "who came before has been seen to leave";
    EXPECT_EQ(port.refused(), 0u);
}

TEST_F(PmiPortTest, who_is_not_wanted_is_closed) {
    refusing = true;
    const UniqueFd second = connect();
    say(second, hello());
    EXPECT_TRUE(closes(second));
    EXPECT_EQ(port.refused(), 1u);
}

TEST_F(PmiPortTest, silent_ones_make_room) {
    std::vector<UniqueFd> silent;
    for (int i = 0; i < 200; ++i) {
        silent.push_back(connect());
        settle(io);
    }
    EXPECT_TRUE(refuses(200u - 65)) << port.refused();
    EXPECT_TRUE(closes(silent.front()));
    EXPECT_FALSE(closed(silent.back()));
    const UniqueFd rank = connect();
    say(rank, hello());
    EXPECT_EQ(arrivals.size(), 1u);
}

/// A socket is of the user that its thread is for files when it is made.
class AsAnotherUser {
  public:
    AsAnotherUser() { setfsuid(65534); }
    ~AsAnotherUser() { setfsuid(geteuid()); }
    AsAnotherUser(const AsAnotherUser&) = delete;
    AsAnotherUser& operator=(const AsAnotherUser&) = delete;
};

/// A socket of another user that has said this.
UniqueFd PmiPortTest::come_as_another_user(const std::string& bytes) {
    const AsAnotherUser stranger;
    UniqueFd socket = connect();
    if (!bytes.empty()) say(socket, bytes);
    return socket;
}

TEST_F(PmiPortTest, another_user_is_refused_even_with_the_id) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    EXPECT_TRUE(closes(come_as_another_user("cmd=initack pmiid=7\n")));
    EXPECT_TRUE(closes(come_as_another_user(hello())));
    EXPECT_TRUE(closes(come_as_another_user("")));
    EXPECT_TRUE(arrivals.empty());
    EXPECT_EQ(port.refused(), 3u);
    say(connect(), hello());
    EXPECT_EQ(arrivals.size(), 1u);
}

TEST_F(PmiPortTest, another_user_pushes_out_no_rank_that_has_not_spoken) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    const UniqueFd rank = connect();
    std::vector<UniqueFd> strangers;
    for (int i = 0; i < 200; ++i) {
        strangers.push_back(come_as_another_user(""));
        settle(io);
    }
    EXPECT_TRUE(closes(strangers.back()));
    EXPECT_FALSE(closed(rank));
    say(rank, hello());
    EXPECT_EQ(arrivals.size(), 1u);
}

TEST_F(PmiPortTest, who_has_hung_up_cannot_guess_and_was_refused_nothing) {
    UniqueFd gone = connect();
    const auto bytes = hello();
    ASSERT_GT(send(gone.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), 0);
    gone.reset();
    say(connect(), hello());
    EXPECT_EQ(arrivals.size(), 1u) << "who came before has not been received";
    EXPECT_EQ(port.refused(), 0u) << "a rank may have been killed just then";
}

TEST_F(PmiPortTest, wrong_ids_of_this_user_spoil_nothing) {
    for (int i = 0; i < 100; ++i)
        say(connect(), "cmd=initack pmiid=" + std::to_string(id ^ 1U) + "\n");
    const UniqueFd rank = connect();
    say(rank, hello());
    EXPECT_EQ(arrivals.size(), 1u);
}

TEST(PeerUser, is_whoever_has_the_other_end) {
    auto listener = listen_on_loopback();
    ASSERT_TRUE(listener);
    auto there = connect_to_loopback(listener->port);
    ASSERT_TRUE(there);
    const UniqueFd here = accept_on_loopback(listener->socket.get());
    ASSERT_TRUE(here);
    const auto by_table = [](int socket) { return peer_user_in("/proc/net/tcp", socket); };
    EXPECT_EQ(peer_user(here.get()), geteuid());
    EXPECT_EQ(by_table(here.get()), geteuid());
    there->reset();
    EXPECT_EQ(peer_user(here.get()), gone_user);
    EXPECT_EQ(by_table(here.get()), gone_user);
    EXPECT_EQ(peer_user(-1), std::nullopt);
    EXPECT_EQ(by_table(-1), std::nullopt);
    EXPECT_EQ(peer_user_in("/no/such/table", here.get()), std::nullopt);
}

TEST(PeerUser, is_known_of_another_user) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    auto listener = listen_on_loopback();
    ASSERT_TRUE(listener);
    const AsAnotherUser stranger;
    auto there = connect_to_loopback(listener->port);
    ASSERT_TRUE(there);
    const UniqueFd here = accept_on_loopback(listener->socket.get());
    ASSERT_TRUE(here);
    EXPECT_EQ(peer_user(here.get()), 65534U);
    EXPECT_EQ(peer_user_in("/proc/net/tcp", here.get()), 65534U);
}

TEST_F(PmiPortTest, a_rank_that_has_exited_came_before_or_not_at_all) {
    const UniqueFd rank = connect();
    const auto bytes = hello();
    ASSERT_GT(send(rank.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), 0);
    port.forget(7);
    EXPECT_EQ(arrivals.size(), 1u);
    const UniqueFd late = connect();
    say(late, hello());
    EXPECT_TRUE(closes(late));
    EXPECT_EQ(arrivals.size(), 1u);
}

}  // namespace
}  // namespace launch
