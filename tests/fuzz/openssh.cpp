// SPDX-License-Identifier: MIT
// What OpenSSH's client says, among which may be any words of the host's. The first byte says what
// was known of the login and of a proxy.
#include "core/base/error.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"
#include "transports/ssh/openssh_errors.hpp"
#include "transports/start_error.hpp"
#include "transports/tail_text.hpp"

namespace launch {
namespace {

using fuzz::require;

OpensshContext context(unsigned known) {
    OpensshContext context{.host_name = "node1", .connect_timeout = std::chrono::seconds(10)};
    if ((known & 1) != 0) context.port = 2222;
    if ((known & 2) != 0) context.login.user = "me";
    if ((known & 4) != 0) context.login.tried = {"~/.ssh/id_rsa"};
    if ((known & 8) != 0) context.login.locked = {"~/.ssh/id_ed25519"};
    if ((known & 16) != 0) context.proxy = {"its proxy", {}};
    if ((known & 32) != 0) context.proxy = {"the jump hosts a, b", {"a", "b"}};
    return context;
}

bool one_line(std::string_view text) {
    return text.find_first_of("\r\n") == std::string_view::npos;
}

}  // namespace

void fuzz::openssh(std::string_view bytes) {
    if (bytes.empty()) return;
    const OpensshContext known = context(static_cast<unsigned char>(bytes.front()));
    TailText said;
    said.append(bytes.substr(1));
    const std::string text = said.text();
    AllocationLimit limit(in_proportion(text.size()));
    const Error error = read_openssh_error(text, known).error;
    require(error.kind == ErrorKind::unreachable, "the host was not reached");
    require(!error.operation.empty() && !error.cause.empty(), "what failed, and why");
    require(one_line(error.cause) && one_line(error.hint), "on one line");
    require(error.operation != start_error::authenticate || is_refused_login(text),
            "those who speak of keys know which were tried");
    limit.check();
}

}  // namespace launch
