#include "transports/direct/tls.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

using Step = TlsSession::Step;

DirectLinkSettings settings(NodeIndex self, const std::string& job = "job", char key = 'k') {
    DirectLinkSettings made;
    made.self = self;
    made.job_id = job;
    made.key = std::string(link_key_size, key);
    return made;
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
        auto context = TlsContext::make(settings);
        EXPECT_TRUE(context) << describe(context.error());
        auto session = TlsSession::make(*context, socket, call);
        EXPECT_TRUE(session);
        return std::move(*session);
    }

    /// True: both have found the other genuine.
    bool shake_hands() {
        Step here = Step::readable;
        Step there = Step::readable;
        for (int i = 0; i < 20 && here != Step::failed && there != Step::failed; ++i) {
            if (here != Step::done) here = client->handshake();
            if (there != Step::done) there = server->handshake();
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
    EXPECT_EQ(pair.server->read(read, sizeof read, count), Step::done);
    EXPECT_EQ(std::string(read, count), "hello");
    EXPECT_EQ(pair.server->read(read, sizeof read, count), Step::readable);
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
        {"a call for another node", settings(7), 4},
        {"a job whose name begins alike", settings(7, "job/7"), 3},
    };
    for (const Row& row : rows) {
        Pair pair(row.calling, row.called, settings(3));
        EXPECT_FALSE(pair.shake_hands()) << row.what;
    }
}

}  // namespace
}  // namespace launch
