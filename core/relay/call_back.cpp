#include "core/relay/call_back.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <unistd.h>

#include "core/base/host_name.hpp"
#include "core/wire/callback_message.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;
using Called = Result<std::unique_ptr<ByteStream>>;

constexpr milliseconds call_patience{30'000};
/// For one address: those that lead nowhere are not to use up the start's time.
constexpr milliseconds dial_patience{5'000};

Error call_error(std::string cause, std::string hint = {}) {
    return {ErrorKind::unreachable, "call back",    host_name(), -1,
            std::move(cause),       std::move(hint)};
}

/// The line that everybody gets. Nothing else of this process runs yet.
Result<std::string> read_call() {
    const auto deadline = Clock::now() + call_patience;
    std::string line;
    std::array<char, 4096> buffer{};
    while (line.find('\n') == std::string::npos) {
        const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
        pollfd input{0, POLLIN, 0};
        const int ready = left.count() > 0 ? poll(&input, 1, static_cast<int>(left.count())) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return call_error("nothing came on standard input");
        const ssize_t n = read(0, buffer.data(), buffer.size());
        if (n <= 0) return call_error("standard input ended, and nobody had said whom to call");
        line.append(buffer.data(), static_cast<size_t>(n));
        if (line.size() > callback_line_limit) return call_error("too much on standard input");
    }
    return line.substr(0, line.find('\n'));
}

/// What this host may be called by who asked for it. Slurm knows it by a name of its own.
std::vector<std::string> own_names() {
    const char* slurm = std::getenv("SLURMD_NODENAME");
    return {slurm != nullptr ? slurm : "", host_name()};
}

/// A relay calls, and is not called.
class NoCallers : public DirectLinkHandler {
  public:
    bool wants_link(NodeIndex, LinkPurpose) override { return false; }
    void direct_link(NodeIndex, LinkPurpose, std::unique_ptr<ByteStream>) override {}
};

std::unique_ptr<DirectLinks> links_of(any_io_executor executor, const Factories& factories,
                                      const CallbackMessage& call, NodeIndex self, NodeKey own,
                                      DirectLinkHandler& handler) {
    DirectLinkSettings settings;
    settings.self = self;
    settings.job_id = call.id;
    settings.own = std::move(own);
    return factories.links(std::move(executor), std::move(settings), handler);
}

}  // namespace

awaitable<Called> call_back(any_io_executor executor, const Factories& factories) {
    const auto line = read_call();
    if (!line) co_return line.error();
    const auto call = CallbackMessage::decode(*line);
    if (!call) co_return call_error("what came on standard input is not of this build of launch");
    const auto place = own_place(call->hosts, own_names());
    if (!place)
        co_return call_error("none of the hosts that were asked for has this name",
                             "name hosts as the service that starts them does");
    NoCallers nobody;
    const auto self = static_cast<NodeIndex>(*place + 1);
    NodeKey key{call->key, {{0, static_cast<NodeIndex>(call->hosts.size() + 1)}}};
    const auto root = links_of(executor, factories, *call, 0, key, nobody);
    const NodeRange own_block{self, 1};
    key.key = root->key_of(own_block);
    key.lineage.push_back(own_block);
    const auto links = links_of(executor, factories, *call, self, std::move(key), nobody);
    Error failure = call_error("no address to call");
    for (const Contact& address : call->addresses) {
        auto stream =
            co_await links->dial(address, LinkPurpose::attach, dial_patience, std::stop_token());
        if (stream) {
            co_await links->close();
            co_return std::move(*stream);
        }
        failure = call_error(
            address.address + " port " + std::to_string(address.port) + ": " + stream.error().cause,
            "does a firewall let no TCP connection through to there?");
    }
    co_await links->close();
    co_return failure;
}

}  // namespace launch
