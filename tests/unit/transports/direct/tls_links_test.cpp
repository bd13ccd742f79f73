// SPDX-License-Identifier: MIT
#include "transports/direct/tls_links.hpp"

#include <arpa/inet.h>
#include <array>
#include <filesystem>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/async/task_group.hpp"
#include "core/base/fd.hpp"
#include "tests/unit/core/harness/comes_true.hpp"
#include "tests/unit/core/harness/run_until.hpp"
#include "tests/unit/transports/direct/family.hpp"
#include "transports/direct/tls.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

constexpr NodeIndex here = 3;
constexpr NodeIndex friend_node = 903;
constexpr NodeIndex nodes_here = 1000;  ///< of the one that is called, and below it

constexpr milliseconds usual_proof_limit{500};

DirectLinkSettings settings(NodeIndex self, char key = 'k',
                            milliseconds proof_limit = usual_proof_limit) {
    const DirectLinkSettings called = child_of(head_of_job("job", key), {here, nodes_here});
    DirectLinkSettings made = self == here ? called : child_of(called, {self, 1});
    made.ports = {0, 0};
    made.this_machine = true;
    made.proof_limit = proof_limit;
    return made;
}

struct Handler : DirectLinkHandler {
    bool wants_link(const DirectCall& call) override { return call.from == friend_node; }
    void direct_link(const DirectCall& call, std::unique_ptr<ByteStream> stream) override {
        EXPECT_EQ(call.from, friend_node);
        streams.push_back(std::move(stream));
    }
    std::vector<std::unique_ptr<ByteStream>> streams;
};

void expect_end(asio::io_context& io, const TaskGroup& tasks) {
    EXPECT_TRUE(run_until(io, [&tasks] { return tasks.size() == 0; }));
}

/// A node that takes links, and one that dials it.
struct Nodes {
    asio::io_context io;
    Handler handler;
    std::unique_ptr<DirectLinks> called;
    std::unique_ptr<DirectLinks> calling =
        make_tls_links(io.get_executor(), settings(friend_node), handler);
    std::unique_ptr<DirectLinks> stray =
        make_tls_links(io.get_executor(), settings(friend_node + 1), handler);
    uint16_t port = 0;

    /// The one that is called waits for so long until who calls has proved who it is.
    explicit Nodes(milliseconds proof_limit = usual_proof_limit)
        : called(make_tls_links(io.get_executor(), settings(here, 'k', proof_limit), handler)) {
        auto listening = called->listen();
        EXPECT_TRUE(listening);
        if (listening) port = *listening;
    }
    ~Nodes() {
        for (const auto& stream : handler.streams)
            stream->close();
        run_to_end(io, close());
    }
    awaitable<void> close() {
        co_await called->close();
        co_await calling->close();
        co_await stray->close();
    }

    void end(DirectLinks& links) {
        TaskGroup tasks(io.get_executor());
        tasks.spawn(links.close());
        expect_end(io, tasks);
    }
    /// So many have been hung up on, at the latest when the limit for all who call has passed.
    bool refused(uint64_t count) { return refused_at_least(count) && called->refused() == count; }
    bool refused_at_least(uint64_t count) {
        return run_until(io, [&] { return called->refused() >= count; });
    }

    awaitable<void> dial(DirectLinks& from, bool& linked) {
        const Contact peer{here, "127.0.0.1", port};
        auto link = co_await from.dial(peer, LinkPurpose::attach, milliseconds{60000}, {});
        linked = static_cast<bool>(link);
        if (linked) (*link)->close();
    }
    bool dials() { return dials(*calling); }
    bool dials(DirectLinks& from) {
        bool linked = false;
        const size_t before = handler.streams.size();
        TaskGroup tasks(io.get_executor());
        tasks.spawn(dial(from, linked));
        expect_end(io, tasks);
        settle(io);
        return linked && handler.streams.size() == before + 1;
    }
};

/// A stranger's connection.
UniqueFd connect_to(uint16_t port) {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the call wants it
    EXPECT_EQ(connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return fd;
}

void say(const UniqueFd& fd, std::string_view bytes) {
    EXPECT_EQ(send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
}

bool hung_up_on(const UniqueFd& fd) {
    std::array<char, 4096> bytes;
    ssize_t n = 1;
    while (n > 0)
        n = recv(fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    return n == 0 || errno == ECONNRESET;
}

size_t open_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<size_t>(std::distance(begin(all), end(all)));
}

/// What a caller with these settings says first.
std::string first_words(const DirectLinkSettings& caller, NodeIndex called) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    const UniqueFd ours(ends[0]);
    const UniqueFd theirs(ends[1]);
    auto context = TlsContext::make(LinkKeys(caller));
    EXPECT_TRUE(context);
    auto session = TlsSession::make(*context, ours.get(), TlsCall{called, LinkPurpose::attach});
    EXPECT_TRUE(session);
    (*session)->handshake();
    std::array<char, 4096> bytes;
    const ssize_t n = recv(theirs.get(), bytes.data(), bytes.size(), 0);
    return {bytes.data(), static_cast<size_t>(std::max<ssize_t>(n, 0))};
}

TEST(TlsLinks, strangers_are_hung_up_on_and_counted) {
    struct Row {
        const char* what;
        std::string said;
    };
    std::string cut_off = first_words(settings(friend_node), here);
    cut_off.back() = static_cast<char>(cut_off.back() ^ 1);
    const Row rows[] = {
        {"garbage", std::string(3000, '\xa5')},
        {"another protocol", "GET / HTTP/1.0\r\n\r\n"},
        {"nothing of TLS 1.3", std::string("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03", 10)},
        {"a TLS alert", std::string("\x15\x03\x03\x00\x02\x02\x28", 7)},
        {"another key", first_words(settings(friend_node, 'x'), here)},
        {"a call for another node", first_words(settings(friend_node), 0)},
        {"a proof with another last bit", cut_off},
    };
    Nodes nodes;
    uint64_t count = 0;
    for (const Row& row : rows) {
        const UniqueFd stranger = connect_to(nodes.port);
        say(stranger, row.said);
        shutdown(stranger.get(), SHUT_WR);
        ASSERT_TRUE(nodes.refused(++count)) << row.what << ": " << nodes.called->refused();
        EXPECT_TRUE(hung_up_on(stranger)) << row.what;
    }
    EXPECT_TRUE(nodes.handler.streams.empty());
    EXPECT_TRUE(nodes.dials());
    EXPECT_EQ(nodes.called->refused(), count);
}

TEST(TlsLinks, one_of_the_job_who_has_no_business_here_is_hung_up_on) {
    Nodes nodes;
    EXPECT_FALSE(nodes.dials(*nodes.stray));
    EXPECT_EQ(nodes.called->refused(), 1U);
    EXPECT_TRUE(nodes.dials());
}

/// Carries bytes between two connections and keeps what the caller said.
struct Eavesdropper {
    UniqueFd listener;
    uint16_t port = 0;
    UniqueFd caller;
    UniqueFd called;
    std::string said;

    Eavesdropper() : listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
        sockaddr_in address{};
        socklen_t size = sizeof address;
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the calls want it
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(bind(listener.get(), any, size), 0);
        EXPECT_EQ(::listen(listener.get(), 1), 0);
        getsockname(listener.get(), any, &size);
        port = ntohs(address.sin_port);
    }

    void carry(uint16_t to) {
        if (!caller) {
            caller = UniqueFd(accept(listener.get(), nullptr, nullptr));
            if (caller) called = connect_to(to);
        }
        if (!caller) return;
        said += move(caller, called);
        move(called, caller);
    }
    static std::string move(const UniqueFd& from, const UniqueFd& to) {
        std::array<char, 4096> bytes;
        const ssize_t n = recv(from.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n <= 0) return {};
        std::string heard(bytes.data(), static_cast<size_t>(n));
        say(to, heard);
        return heard;
    }
};

TEST(TlsLinks, what_was_said_in_another_handshake_opens_nothing) {
    Nodes nodes;
    Eavesdropper between;
    const uint16_t port = std::exchange(nodes.port, between.port);
    bool linked = false;
    TaskGroup tasks(nodes.io.get_executor());
    tasks.spawn(nodes.dial(*nodes.calling, linked));
    EXPECT_TRUE(comes_true([&] {
        settle(nodes.io);
        between.carry(port);
        return tasks.size() == 0;
    }));
    ASSERT_TRUE(linked);
    ASSERT_EQ(nodes.handler.streams.size(), 1U);
    ASSERT_GT(between.said.size(), 200U);
    const UniqueFd replayed = connect_to(port);
    say(replayed, between.said);
    EXPECT_TRUE(nodes.refused(1));
    EXPECT_TRUE(hung_up_on(replayed));
    EXPECT_EQ(nodes.handler.streams.size(), 1U);
    nodes.port = port;
    EXPECT_TRUE(nodes.dials());
}

TEST(TlsLinks, the_end_of_a_long_chain_is_let_in) {
    Nodes nodes(milliseconds{60'000});  // a busy machine takes long for so many keys
    DirectLinkSettings last = settings(here);
    for (NodeIndex i = here + 1; i <= friend_node; ++i)
        last = child_of(last, {i, here + nodes_here - i});
    const auto far = make_tls_links(nodes.io.get_executor(), last, nodes.handler);
    EXPECT_TRUE(nodes.dials(*far));
    nodes.end(*far);
}

/// The time of the next runs from when it came, whoever was given up before.
TEST(TlsLinks, one_silent_caller_after_the_other_is_hung_up_on) {
    Nodes nodes;
    for (uint64_t count = 1; count <= 3; ++count) {
        const UniqueFd silent = connect_to(nodes.port);
        EXPECT_TRUE(nodes.refused(count)) << nodes.called->refused();
        EXPECT_TRUE(hung_up_on(silent));
    }
}

TEST(TlsLinks, hundreds_who_say_nothing_or_half_a_word_take_little_and_keep_nobody_out) {
    constexpr size_t crowd = 300;
    constexpr size_t most_kept = 64;
    Nodes nodes(milliseconds{2000});
    EXPECT_TRUE(nodes.dials());  // what is needed once is there
    const std::string half = first_words(settings(friend_node), here).substr(0, 100);
    const size_t before = open_descriptors();
    std::vector<UniqueFd> strangers;
    for (size_t i = 0; i < crowd; ++i) {
        strangers.push_back(connect_to(nodes.port));
        if (i % 2 == 1) say(strangers.back(), half);
        if (i % 16 == 0) settle(nodes.io);
    }
    EXPECT_TRUE(nodes.refused_at_least(crowd - most_kept));
    const size_t kept = open_descriptors() - before - crowd;
    EXPECT_LE(kept, most_kept) << "those that it has open itself";
    EXPECT_GE(nodes.called->refused(), crowd - kept) << "others gave way";
    EXPECT_TRUE(nodes.dials());
    EXPECT_LT(nodes.called->refused(), crowd) << "who is left has its time";
    EXPECT_TRUE(nodes.refused(crowd)) << nodes.called->refused();
    for (const UniqueFd& stranger : strangers)
        EXPECT_TRUE(hung_up_on(stranger));
}

/// Nodes of a routing tree, none of them above another: one is called, and two call.
struct Peers {
    struct Listener : DirectLinkHandler {
        bool wants_link(const DirectCall&) override { return wants; }
        void direct_link(const DirectCall& call, std::unique_ptr<ByteStream> stream) override {
            came.push_back(call.from);
            stream->close();
        }
        bool wants = true;
        std::vector<NodeIndex> came;
    };
    static constexpr NodeIndex called_node = 5;
    static constexpr NodeIndex calling_node = 8;
    static constexpr NodeIndex other_node = 9;

    static DirectLinkSettings of(NodeIndex node, NodeIndex name) {
        DirectLinkSettings made = child_of(head_of_job(), {node, 1});
        made.self = name;  // that it goes by
        made.this_machine = true;
        made.proof_limit = milliseconds{1000};
        return made;
    }

    asio::io_context io;
    Listener listener;
    std::unique_ptr<DirectLinks> called = make(of(called_node, called_node));
    std::unique_ptr<DirectLinks> calling = make(of(calling_node, calling_node));
    std::unique_ptr<DirectLinks> other = make(of(other_node, other_node));
    /// The other one, under the name of the first.
    std::unique_ptr<DirectLinks> thief = make(of(other_node, calling_node));
    std::vector<Contact> contacts;

    Peers() {
        auto port = called->listen();
        EXPECT_TRUE(port);
        contacts = {{called_node, "127.0.0.1", port ? *port : uint16_t{0}, called->public_key()},
                    {calling_node, "127.0.0.1", 1, calling->public_key()},
                    {other_node, "127.0.0.1", 1, other->public_key()}};
        for (auto* links : {&calling, &other, &thief})
            (*links)->know(contacts);
    }
    ~Peers() { run_to_end(io, close()); }
    awaitable<void> close() {
        for (auto* links : {&called, &calling, &other, &thief})
            co_await (*links)->close();
    }
    std::unique_ptr<DirectLinks> make(const DirectLinkSettings& settings) {
        return make_tls_links(io.get_executor(), settings, listener);
    }
    awaitable<void> dial(DirectLinks& from, bool& linked) {
        auto link =
            co_await from.dial(contacts.front(), LinkPurpose::peer, milliseconds{60000}, {});
        linked = static_cast<bool>(link);
        if (!linked) co_return;
        std::array<char, 1> nothing{};
        const size_t n = co_await (*link)->read_some(nothing);  // until it is hung up on
        EXPECT_EQ(n, 0U);
        (*link)->close();
    }
    /// True: it was welcome, whatever came of it.
    bool dials(DirectLinks& from) {
        bool linked = false;
        TaskGroup tasks(io.get_executor());
        tasks.spawn(dial(from, linked));
        expect_end(io, tasks);
        settle(io);
        return linked;
    }
};

TEST(TlsLinks, a_peer_is_let_in_as_itself_only) {
    Peers peers;
    peers.called->know(peers.contacts);
    EXPECT_TRUE(peers.dials(*peers.calling));
    EXPECT_FALSE(peers.dials(*peers.thief));
    EXPECT_TRUE(peers.dials(*peers.other));
    EXPECT_EQ(peers.listener.came, (std::vector{Peers::calling_node, Peers::other_node}));
    EXPECT_EQ(peers.called->refused(), 1U);
}

/// Another node may learn of all the keys before the one that it calls does.
TEST(TlsLinks, a_peer_that_knows_more_is_let_in_when_it_is_known) {
    Peers peers;
    bool first = false;
    bool second = false;
    TaskGroup tasks(peers.io.get_executor());
    tasks.spawn(peers.dial(*peers.thief, second));
    tasks.spawn(peers.dial(*peers.calling, first));
    EXPECT_TRUE(
        run_until(peers.io, [&] { return peers.called->refused() > 0 || (first && second); }));
    EXPECT_TRUE(peers.listener.came.empty());
    peers.called->know(peers.contacts);
    expect_end(peers.io, tasks);
    EXPECT_EQ(peers.listener.came, (std::vector{Peers::calling_node}));
    EXPECT_EQ(peers.called->refused(), 1U);
}

TEST(TlsLinks, a_peer_that_is_never_known_is_hung_up_on) {
    Peers peers;
    peers.dials(*peers.calling);
    EXPECT_TRUE(peers.listener.came.empty());
    EXPECT_EQ(peers.called->refused(), 1U);
}

TEST(TlsLinks, a_peer_takes_nobody_else_for_the_one_it_calls) {
    Peers peers;
    peers.called->know(peers.contacts);
    peers.contacts.front().public_key = peers.other->public_key();
    peers.calling->know(peers.contacts);
    EXPECT_FALSE(peers.dials(*peers.calling));
    EXPECT_TRUE(peers.listener.came.empty());
}

}  // namespace
}  // namespace launch
