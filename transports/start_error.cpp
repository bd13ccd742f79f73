#include "transports/start_error.hpp"

#include "core/base/seconds.hpp"
#include "transports/remote_command.hpp"

namespace launch::start_error {
namespace {

constexpr uint16_t usual_port = 22;
constexpr const char* name_server = "does the name server answer?";

/// As known_hosts writes a host with a port of its own.
std::string known_name(const std::string& name, uint16_t port) {
    if (port == 0 || port == usual_port) return name;
    return "[" + name + "]:" + std::to_string(port);
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

Error no_such_name() {
    return make(resolve, "no such host name", "check its spelling, /etc/hosts and DNS");
}

Error resolver_failed(std::string why) {
    return make(resolve, "the name look-up failed: " + std::move(why), name_server);
}

Error refused(uint16_t port) {
    return make(connect, "connection to port " + std::to_string(port) + " refused",
                "is sshd running there, on that port?");
}

Error no_route() {
    return make(connect, "no route to host", "its network or the host itself is down");
}

Error no_answer(const char* stage, std::chrono::milliseconds limit) {
    const char* hint = "the host is overloaded, or its sshd hangs";
    if (std::string_view(stage) == resolve) hint = name_server;
    if (std::string_view(stage) == connect)
        hint = "is the host up? does a firewall drop the packets?";
    if (std::string_view(stage) == authenticate) hint = "its sshd hangs, or the ssh agent here";
    return make(stage, "no answer within " + in_seconds(limit), hint);
}

Error dropped(const char* stage) {
    return make(stage, "the connection was closed",
                "its sshd is overloaded, see MaxStartups there, or turns this machine away");
}

Error unknown_key(uint16_t port) {
    const std::string option =
        port == 0 || port == usual_port ? "" : "-p " + std::to_string(port) + " ";
    return make(verify, "its key is not known",
                "ssh-keyscan " + option +
                    "HOST >> ~/.ssh/known_hosts, if you trust the network now; or "
                    "--accept-new-host-keys");
}

Error changed_key(const std::string& name, uint16_t port, const std::string& now,
                  const std::string& known) {
    std::string where;
    if (!now.empty()) where += "now " + now;
    if (!known.empty()) where += (where.empty() ? "" : ", ") + ("another in " + known);
    std::string hint = "if that is expected: ssh-keygen -R " + shell_word(known_name(name, port));
    if (!where.empty()) hint += "; " + where;
    return make(verify, "its key has CHANGED: another machine, or someone in between", hint);
}

Error revoked_key() {
    return make(verify, "its key is marked @revoked in known_hosts");
}

Error denied(std::string_view offered) {
    std::string cause = "permission denied";
    if (!offered.empty()) cause += "; the server takes " + std::string(offered);
    return make(authenticate, std::move(cause), "ssh-copy-id HOST, or load your key with ssh-add");
}

Error too_many_keys() {
    return make(authenticate, "too many keys were tried",
                "name the right one with IdentityFile and IdentitiesOnly in ~/.ssh/config");
}

Error given_up(const std::string& host) {
    Error error = make(connect, "given up: the job ends");
    error.host = host;
    return error;
}

}  // namespace launch::start_error
