// SPDX-License-Identifier: MIT
// Strangers at a direct link: who listens, and who calls, is told any bytes; and a link of two
// genuine nodes with something between them that changes what they say.
#include <algorithm>
#include <array>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/codec.hpp"
#include "core/base/fd.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"
#include "transports/direct/tls.hpp"

namespace launch {
namespace {

using fuzz::require;
using Step = TlsSession::Step;

constexpr NodeIndex caller = 7;
constexpr NodeIndex called = 3;
/// OpenSSL's, for one session.
constexpr size_t most_memory = 4u << 20;
constexpr size_t most_room = 20u << 10;

std::shared_ptr<const TlsContext> context_with(const LinkKeys& keys) {
    auto context = TlsContext::make(keys);
    require(bool(context), "OpenSSL");
    return *context;
}

std::shared_ptr<const TlsContext> context_of(NodeIndex self) {
    DirectLinkSettings settings;
    settings.self = self;
    settings.job_id = "job";
    settings.job_key = std::string(link_key_size, 'k');
    settings.own = {std::string(link_key_size, 'o'), {{0, 100}, {called, 10}}};
    const LinkKeys parent(settings);
    if (self == caller) {
        settings.own.key = parent.key_of({caller, 2}).value_or("");
        settings.own.lineage.push_back({caller, 2});
    }
    return context_with(LinkKeys(settings));
}

/// Two nodes neither of which is above the other, and that know each other's keys.
struct SideBySide {
    SideBySide() {
        const LinkKeys one = keys_of({caller, 2});
        const LinkKeys other = keys_of({called, 2});
        for (const LinkKeys* keys : {&one, &other})
            keys->know({{caller, {}, 0, one.public_key()}, {called, {}, 0, other.public_key()}});
        calling = context_with(one);
        listening = context_with(other);
    }
    static LinkKeys keys_of(NodeRange block) {
        DirectLinkSettings settings;
        settings.self = block.first;
        settings.job_id = "job";
        settings.job_key = std::string(link_key_size, 'k');
        settings.own = {std::string(link_key_size, 'o'), {{0, 100}, block}};
        return LinkKeys(settings);
    }

    std::shared_ptr<const TlsContext> calling;
    std::shared_ptr<const TlsContext> listening;
};

/// One end, and the socket from which what it says is taken.
struct End {
    End(std::shared_ptr<const TlsContext> context, std::optional<TlsCall> call) {
        std::array<int, 2> ends{-1, -1};
        require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) == 0, "sockets");
        own = UniqueFd(ends[0]);
        other = UniqueFd(ends[1]);
        auto made = TlsSession::make(std::move(context), ends[0], call);
        require(bool(made), "a session");
        session = std::move(*made);
    }

    void hear(std::string_view bytes) {
        step = step == Step::done ? step : session->handshake();
        while (!bytes.empty() && step == Step::readable) {
            const auto room = session->room();
            require(!room.empty() && room.size() <= most_room, "a room that is bounded");
            const size_t n = bytes.copy(room.data(), room.size());
            bytes.remove_prefix(n);
            session->fill(n);
            step = session->handshake();
        }
        if (step != Step::done) return;
        std::array<char, 100> read{};
        size_t count = 0;
        while (session->read(read.data(), read.size(), count) == Step::done)
            require(count > 0 && count <= read.size(), "bytes that were sent");
    }

    std::string said() {
        std::string all;
        std::array<char, 4096> some{};
        for (;;) {
            const ssize_t n = recv(other.get(), some.data(), some.size(), MSG_DONTWAIT);
            if (n <= 0) return all;
            all.append(some.data(), static_cast<size_t>(n));
        }
    }

    UniqueFd own;
    UniqueFd other;
    std::unique_ptr<TlsSession> session;
    Step step = Step::readable;
};

const std::shared_ptr<const TlsContext>& calling() {
    static const auto context = context_of(caller);
    return context;
}
const std::shared_ptr<const TlsContext>& listening() {
    static const auto context = context_of(called);
    return context;
}

const SideBySide& side_by_side() {
    static const SideBySide both;
    return both;
}

/// Of a few bytes, which are changed on their way.
class Meddler {
  public:
    explicit Meddler(std::string_view bytes) : in_(bytes) {}

    std::string pass(std::string said) {
        if (said.empty() || in_.done() || !in_.ok()) return said;
        const uint64_t how = in_.number();
        const uint64_t where = in_.number() % said.size();
        const std::string text(in_.text());
        if (!in_.ok() || how % 4 == 0) return said;
        const std::string before = said;
        if (how % 4 == 1) said.replace(where, std::min(text.size(), said.size() - where), text);
        if (how % 4 == 2) said.insert(where, text);
        if (how % 4 == 3) said.erase(where, text.size());
        changed = changed || said != before;
        return said;
    }

    bool changed = false;

  private:
    Decoder in_;
};

void meddle(std::string_view bytes, std::shared_ptr<const TlsContext> calls,
            std::shared_ptr<const TlsContext> listens) {
    Meddler meddler(bytes);
    End client(std::move(calls), TlsCall{called, LinkPurpose::peer});
    End server(std::move(listens), std::nullopt);
    for (int i = 0; i < 4; ++i) {
        client.hear(meddler.pass(server.said()));
        server.hear(meddler.pass(client.said()));
    }
    if (!meddler.changed) {
        require(client.step == Step::done && server.step == Step::done, "who has the key comes in");
        require(server.session->call().peer == caller, "as who it is");
        require(server.session->call().purpose == LinkPurpose::peer, "for what it wants");
    }
    require(server.step != Step::done || server.session->call().peer == caller, "nobody else");
}

}  // namespace

/// The first byte says who hears the rest.
void fuzz::direct(std::string_view bytes) {
    if (bytes.empty()) return;
    calling();
    listening();
    side_by_side();
    const std::string_view rest = bytes.substr(1);
    AllocationLimit limit(most_memory + 16 * bytes.size());
    const unsigned char kind = static_cast<unsigned char>(bytes[0]) % 5;
    switch (kind) {
        case 0:
        case 3: {
            End server(kind == 0 ? listening() : side_by_side().listening, std::nullopt);
            server.hear(rest);
            require(server.step != Step::done, "a stranger does not come in");
            break;
        }
        case 1: {
            End client(calling(), TlsCall{called, LinkPurpose::move});
            client.hear(rest);
            require(client.step != Step::done, "a stranger is not taken for a node");
            break;
        }
        case 2: meddle(rest, calling(), listening()); break;
        default: meddle(rest, side_by_side().calling, side_by_side().listening);
    }
    limit.check();
}

}  // namespace launch
