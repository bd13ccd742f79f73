// SPDX-License-Identifier: MIT
#include "transports/start_error.hpp"

#include <cerrno>
#include <fcntl.h>

#include "core/base/fd.hpp"
#include "core/base/list_text.hpp"
#include "core/base/seconds.hpp"
#include "core/base/shell_word.hpp"

namespace launch::start_error {
namespace {

constexpr uint16_t usual_port = 22;
constexpr const char* only_here =
    "is the name only an alias in the ssh config of the head? --topology flat starts all hosts "
    "from the head";
constexpr const char* name_server = "does the name server answer?";

/// As known_hosts writes a host with a port of its own.
std::string known_name(const std::string& name, uint16_t port) {
    if (port == 0 || port == usual_port) return name;
    return "[" + name + "]:" + std::to_string(port);
}

/// "A", "A and B", "A, B and C", "A, B, C and 5 more".
std::string listed(const std::vector<std::string>& names) {
    constexpr size_t most = 4;
    const size_t shown = names.size() > most ? most - 1 : names.size();
    std::string text;
    for (size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == names.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
    }
    if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
    return text;
}

std::string for_user(const RefusedLogin& login) {
    return login.user.empty() ? "" : " for " + login.user;
}

/// "A is encrypted, and no agent has the key".
std::string about_locked(const std::vector<std::string>& locked) {
    const bool one = locked.size() == 1;
    return listed(locked) + (one ? " is encrypted, and no agent has the key"
                                 : " are encrypted, and no agent has the keys");
}

/// "A is not used, as others may read it".
std::string about_exposed(const std::vector<std::string>& exposed) {
    const bool one = exposed.size() == 1;
    return listed(exposed) + (one ? " is not used because others may read it"
                                  : " are not used because others may read them");
}

std::string protect(const std::vector<std::string>& exposed) {
    std::string command = "chmod 600";
    for (const auto& name : exposed)
        command += " " + name;
    return command;
}

std::string unlock(const RefusedLogin& login) {
    const char* agent = login.agent_answers ? "" : "eval $(ssh-agent); ";
    return agent + ("ssh-add " + login.locked.front());
}

const char* help_relay(Starter starter) {
    if (starter == Starter::relay_with_agent)
        return "load your key here with ssh-add, or use --topology flat";
    return "use --forward-agent or --topology flat, or put a key on the host that starts this one";
}

}  // namespace

Error make(const char* stage, std::string cause, std::string hint) {
    Error error;
    error.kind = ErrorKind::unreachable;
    error.operation = stage;
    error.cause = std::move(cause);
    error.hint = std::move(hint);
    return error;
}

Error of_errno(const char* stage, int error) {
    const bool limited = error == EMFILE;
    return make(stage, errno_text(error),
                limited ? "raise the limit, or start fewer hosts from here with -k" : "");
}

std::optional<Error> out_of_descriptors(const char* stage) {
    const UniqueFd one_more(open("/dev/null", O_RDONLY | O_CLOEXEC));
    const int error = one_more ? 0 : errno;
    if (error != EMFILE && error != ENFILE) return std::nullopt;
    return of_errno(stage, error);
}

Error unreadable_config(const std::string& path, int error) {
    return make(read_config, path + ": " + errno_text(error),
                "make it readable, or name another file: --ssh-config");
}

Error foreign_config(const std::string& path) {
    return make(read_config, path + " belongs to another user",
                "make it yours or root's: chown root " + shell_word(path));
}

Error writable_config(const std::string& path) {
    return make(read_config, "others may write to " + path, "chmod go-w " + shell_word(path));
}

Error badly_kept_config(const std::string& path) {
    return make(read_config, "others may write to " + path + ", or it belongs to another user",
                "chmod go-w " + shell_word(path) + ", and make it yours or root's");
}

Error no_such_name(Starter starter) {
    const bool known_here = starter != Starter::head;
    return make(resolve, "no such host name",
                known_here ? only_here : "check its spelling, /etc/hosts and DNS");
}

Error resolver_failed(std::string why, Starter starter) {
    std::string hint = name_server;
    if (starter != Starter::head) hint += std::string(" ") + only_here;
    return make(resolve, "the name look-up failed: " + std::move(why), std::move(hint));
}

Error refused(uint16_t port) {
    return make(connect, "connection to port " + std::to_string(port) + " refused",
                "is sshd running there, on that port?");
}

Error no_route() {
    return make(connect, "no route to host", "the host or its network is down");
}

Error no_answer(const char* stage, std::chrono::milliseconds limit) {
    const char* hint = "the host is overloaded, or its sshd hangs";
    if (std::string_view(stage) == resolve) hint = name_server;
    if (std::string_view(stage) == connect)
        hint = "is the host up? does a firewall drop the packets?";
    if (std::string_view(stage) == authenticate) hint = "its sshd or the ssh agent here hangs";
    return make(stage, limit.count() > 0 ? "no answer within " + in_seconds(limit) : "no answer",
                hint);
}

Error dropped(const char* stage) {
    return make(
        stage, "the connection was closed",
        "its sshd refuses this machine, or is overloaded: see MaxStartups in its sshd_config");
}

Error unknown_key(uint16_t port) {
    const std::string option =
        port == 0 || port == usual_port ? "" : "-p " + std::to_string(port) + " ";
    return make(verify, "its host key is not known",
                "ssh-keyscan " + option +
                    "HOST >> ~/.ssh/known_hosts, if you trust the network now; or "
                    "--accept-new-host-keys");
}

Error changed_key(const std::string& name, uint16_t port, const std::string& now,
                  const std::string& known) {
    std::string where;
    if (!now.empty()) where += "the key is now " + now;
    if (!known.empty()) where += (where.empty() ? "" : ", ") + ("the known one is in " + known);
    std::string hint = "if that is expected: ssh-keygen -R " + shell_word(known_name(name, port));
    if (!where.empty()) hint += "; " + where;
    return make(
        verify,
        "its host key has CHANGED: another machine answers, or someone intercepts the connection",
        hint);
}

Error revoked_key() {
    return make(verify, "its host key is marked @revoked in known_hosts");
}

Error denied(const RefusedLogin& login) {
    std::string cause = "permission denied" + for_user(login);
    if (!login.tried.empty()) {
        cause += "; tried " + listed(login.tried);
    } else if (login.locked.empty() && login.exposed.empty()) {
        cause += login.agent_answers ? "; there is no key to try, and the agent has none"
                                     : "; there is no key to try, and no ssh agent answers";
    }
    if (!login.locked.empty()) cause += "; " + about_locked(login.locked);
    if (!login.exposed.empty()) cause += "; " + about_exposed(login.exposed);
    if (!login.offered.empty()) cause += "; the server accepts " + login.offered;
    if (login.starter != Starter::head)
        return make(authenticate, std::move(cause), help_relay(login.starter));
    std::string hint;
    if (!login.exposed.empty()) append_part(hint, ", or ", protect(login.exposed));
    if (!login.locked.empty()) append_part(hint, ", or ", unlock(login));
    if (hint.empty())
        hint = "ssh-copy-id HOST, or load your key with ssh-add";
    else if (!login.tried.empty())
        append_part(hint, ", or ", "ssh-copy-id HOST");
    return make(authenticate, std::move(cause), std::move(hint));
}

Error too_many_keys(const RefusedLogin& login) {
    std::string cause = "too many keys were tried" + for_user(login);
    if (!login.tried.empty()) cause += ": " + listed(login.tried);
    return make(authenticate, std::move(cause),
                "name the right one with IdentityFile and IdentitiesOnly in ~/.ssh/config");
}

Error given_up(const std::string& host) {
    Error error = make(connect, "not started, because the job ends");
    error.host = host;
    return error;
}

}  // namespace launch::start_error
