// SPDX-License-Identifier: MIT
#include "transports/direct/tls.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "tests/unit/transports/direct/family.hpp"

namespace launch {
namespace {

using Step = TlsSession::Step;

/// Node 3, or one below it.
DirectLinkSettings settings(NodeIndex self, const std::string& job = "job", char key = 'k') {
    const DirectLinkSettings called = child_of(head_of_job(job, key), {3, 10});
    return self == called.self ? called : child_of(called, {self, 1});
}

/// The two ends of one connection.
struct Pair {
    Pair(const DirectLinkSettings& calling, NodeIndex called_index,
         const DirectLinkSettings& called) {
        int ends[2] = {-1, -1};
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
        sockets[0] = UniqueFd(ends[0]);
        sockets[1] = UniqueFd(ends[1]);
        client = make(calling, ends[0], TlsCall{called_index, LinkPurpose::attach});
        server = make(called, ends[1], std::nullopt);
    }

    static std::unique_ptr<TlsSession> make(const DirectLinkSettings& settings, int socket,
                                            std::optional<TlsCall> call) {
        auto context = TlsContext::make(LinkKeys(settings));
        EXPECT_TRUE(context) << describe(context.error());
        auto session = TlsSession::make(*context, socket, call);
        EXPECT_TRUE(session);
        return std::move(*session);
    }

    /// What has come for a session that wants it.
    static void receive(TlsSession& session, const UniqueFd& socket) {
        const auto room = session.room();
        const ssize_t n = recv(socket.get(), room.data(), room.size(), MSG_DONTWAIT);
        if (n > 0) session.fill(static_cast<size_t>(n));
    }

    void shake(TlsSession& session, const UniqueFd& socket, Step& step) {
        if (step == Step::readable) receive(session, socket);
        if (step != Step::done) step = session.handshake();
    }

    /// True: both have found the other genuine.
    bool shake_hands() {
        Step here = Step::readable;
        Step there = Step::readable;
        for (int i = 0; i < 20 && here != Step::failed && there != Step::failed; ++i) {
            shake(*client, sockets[0], here);
            shake(*server, sockets[1], there);
            if (here == Step::done && there == Step::done) return true;
        }
        return false;
    }

    UniqueFd sockets[2];
    std::unique_ptr<TlsSession> client;
    std::unique_ptr<TlsSession> server;
};

TEST(Tls, nodes_of_one_job_know_each_other) {
    Pair pair(settings(7), 3, settings(3));
    ASSERT_TRUE(pair.shake_hands());
    EXPECT_EQ(pair.server->call().peer, 7U);
    EXPECT_EQ(pair.server->call().purpose, LinkPurpose::attach);
    size_t count = 0;
    EXPECT_EQ(pair.client->write("hello", 5, count), Step::done);
    char read[16];
    EXPECT_EQ(pair.server->read(read, sizeof read, count), Step::readable);
    Pair::receive(*pair.server, pair.sockets[1]);
    EXPECT_EQ(pair.server->read(read, sizeof read, count), Step::done);
    EXPECT_EQ(std::string(read, count), "hello");
    EXPECT_EQ(pair.server->read(read, sizeof read, count), Step::readable);
}

/// Records that come in pieces, or many at once, with a room that is too small for them.
TEST(Tls, much_comes_whole) {
    Pair pair(settings(7), 3, settings(3));
    ASSERT_TRUE(pair.shake_hands());
    std::string sent;
    for (int i = 0; i < 40000; ++i)
        sent += std::to_string(i);
    std::string got;
    size_t written = 0;
    size_t widest = 0;
    for (int i = 0; i < 10000 && got.size() < sent.size(); ++i) {
        size_t count = 0;
        const size_t size =
            std::min<size_t>(sent.size() - written, 1 + static_cast<size_t>(i) * 37 % 5000);
        if (size > 0) pair.client->write(sent.data() + written, size, count);
        written += count;
        char read[3000];
        const Step step = pair.server->read(read, sizeof read, count);
        got.append(read, count);
        widest = std::max(widest, pair.server->room().size());
        if (step == Step::readable) Pair::receive(*pair.server, pair.sockets[1]);
    }
    EXPECT_TRUE(got == sent) << got.size() << " of " << sent.size();
    EXPECT_GT(widest, 16384U);
    // What carries little again gives its room back.
    char read[16];
    for (int i = 0; i < 50; ++i) {
        size_t count = 0;
        pair.client->write("x", 1, count);
        Pair::receive(*pair.server, pair.sockets[1]);
        EXPECT_EQ(pair.server->read(read, sizeof read, count), Step::done);
        EXPECT_EQ(pair.server->read(read, sizeof read, count), Step::readable);
    }
    EXPECT_LE(pair.server->room().size(), 1024U);
}

/// Who calls itself by another's name, and has its own key still.
DirectLinkSettings as_another(DirectLinkSettings caller, NodeIndex name) {
    caller.self = name;
    caller.own.lineage.back().first = name;
    return caller;
}

DirectLinkSettings below(const DirectLinkSettings& caller, NodeIndex name) {
    return child_of(caller, {name, 1});
}

TEST(Tls, others_are_refused) {
    struct Row {
        const char* what;
        DirectLinkSettings calling;
        NodeIndex called;
    };
    const Row rows[] = {
        {"another key", settings(7, "job", 'x'), 3},
        {"another job", settings(7, "jobs"), 3},
        {"a call for another node", settings(7), 0},
        {"another's name, with its own key", as_another(settings(7), 8), 3},
        {"another's name, as if that were below it", below(settings(7), 8), 3},
        {"a job whose name begins alike", settings(7, "job/7"), 3},
    };
    for (const Row& row : rows) {
        Pair pair(row.calling, row.called, settings(3));
        EXPECT_FALSE(pair.shake_hands()) << row.what;
    }
}

}  // namespace
}  // namespace launch
