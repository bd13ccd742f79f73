// SPDX-License-Identifier: MIT
#include "core/relay/call_back.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/base_name.hpp"
#include "core/base/fd.hpp"
#include "core/base/host_name.hpp"
#include "core/base/interfaces.hpp"
#include "core/link/patience.hpp"
#include "core/process/munge.hpp"
#include "core/wire/callback_message.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;
using Called = std::variant<CalledBack, NotCalledBack>;

Error call_error(std::string cause, std::string hint = {}) {
    return {ErrorKind::unreachable, "call back",    host_name(), -1,
            std::move(cause),       std::move(hint)};
}

NotCalledBack failed(CallEnd end, std::string cause, std::string hint = {}) {
    return {end, call_error(std::move(cause), std::move(hint))};
}

/// The first line of the input, which all relays get.
using Line = std::variant<std::string, NotCalledBack>;

/// Nothing else of this process runs yet.
Line read_call(int input_fd) {
    const auto deadline = Clock::now() + patience::call_back;
    std::string line;
    std::array<char, 4096> buffer{};
    while (line.find('\n') == std::string::npos) {
        const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
        pollfd input{input_fd, POLLIN, 0};
        const int ready = left.count() > 0 ? poll(&input, 1, static_cast<int>(left.count())) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0)
            return failed(CallEnd::not_told,
                          "no address of the head arrived on standard input in time");
        const ssize_t n = read(input_fd, buffer.data(), buffer.size());
        if (n <= 0)
            return failed(CallEnd::not_told,
                          "standard input ended before the address of the head arrived");
        line.append(buffer.data(), static_cast<size_t>(n));
        if (line.size() > callback_line_limit)
            return failed(CallEnd::not_told, "the line on standard input is too long");
    }
    return line.substr(0, line.find('\n'));
}

/// A client of a file server may see a little later what was made elsewhere.
UniqueFd open_when_seen(const std::string& path) {
    const auto deadline = Clock::now() + patience::call_file;
    for (;;) {
        UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (file || Clock::now() >= deadline) return file;
        Clock::pause(patience::call_file / 20);
    }
}

/// Whoever can write to the file makes this process his own, and whoever reads it can pass for it.
bool is_secret_of_this_user(const UniqueFd& file) {
    struct stat info {};
    return fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

Line read_call_of(const std::string& path) {
    if (path.empty()) return read_call(STDIN_FILENO);
    const UniqueFd file = open_when_seen(path);
    if (!file) return NotCalledBack{CallEnd::no_file, {}};
    if (!is_secret_of_this_user(file))
        return failed(CallEnd::unsafe, path + " belongs to another user, or others may read it");
    return read_call(file.get());
}

/// Some services hand on in the clear what the head has sealed for this user.
Line opened(Line line) {
    const auto* const text = std::get_if<std::string>(&line);
    if (text == nullptr || !is_munge_sealed(*text)) return line;
    auto plain = munge_opened(*text);
    if (plain) return std::move(*plain);
    const Error& error = plain.error();
    return failed(CallEnd::not_told, error.operation + ": " + error.cause, error.hint);
}

/// The names by which the head may know this host. Slurm has a name of its own for it.
std::vector<std::string> own_names() {
    const char* slurm = std::getenv("SLURMD_NODENAME");
    return {slurm != nullptr ? slurm : "", host_name()};
}

/// A relay calls, and is not called.
class NoCallers : public DirectLinkHandler {
  public:
    bool wants_link(const DirectCall&) override { return false; }
    void direct_link(const DirectCall&, std::unique_ptr<ByteStream>) override {}
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

std::string call_claim(const std::string& file) {
    return "launch-call-" + std::to_string(geteuid()) + "-" + std::string(base_name(file));
}

awaitable<Called> call_back(any_io_executor executor, const Factories& factories,
                            std::string file) {
    auto line = opened(read_call_of(file));
    if (auto* failure = std::get_if<NotCalledBack>(&line)) co_return std::move(*failure);
    const auto call = CallbackMessage::decode(std::get<std::string>(line));
    if (!call)
        co_return failed(CallEnd::not_told, (file.empty() ? "the line on standard input" : file) +
                                                " is from another build of launch");
    const auto place = own_place(call->hosts, own_names());
    if (!place && !file.empty()) co_return NotCalledBack{CallEnd::not_asked, {}};
    if (!place)
        co_return failed(CallEnd::not_asked,
                         "this machine has none of the names that the job asks for",
                         "name the hosts as the service that starts them names them");
    NoCallers nobody;
    const auto self = static_cast<NodeIndex>(*place + 1);
    NodeKey key{call->key, {{0, static_cast<NodeIndex>(call->hosts.size() + 1)}}};
    const auto root = links_of(executor, factories, *call, 0, key, nobody);
    const NodeRange own_block{self, 1};
    key.key = root->key_of(own_block);
    key.lineage.push_back(own_block);
    const auto links = links_of(executor, factories, *call, self, std::move(key), nobody);
    auto failure = failed(CallEnd::no_way, "the head gave no address");
    for (const Contact& address : call->addresses) {
        auto stream = co_await links->dial(address, LinkPurpose::attach, patience::dial_back,
                                           std::stop_token());
        if (stream) {
            co_await links->close();
            co_return CalledBack{std::move(*stream), own_address_towards(address.address)};
        }
        failure = failed(
            CallEnd::no_way,
            address.address + " port " + std::to_string(address.port) + ": " + stream.error().cause,
            "does a firewall block TCP connections to that address?");
    }
    co_await links->close();
    co_return failure;
}

}  // namespace launch
