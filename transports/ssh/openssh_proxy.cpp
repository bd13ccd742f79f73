// SPDX-License-Identifier: MIT
#include "transports/ssh/openssh_proxy.hpp"

#include <algorithm>

#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"
#include "core/base/shell_word.hpp"
#include "transports/remote_command.hpp"
#include "transports/ssh/openssh_errors.hpp"
#include "transports/ssh/said_lines.hpp"

namespace launch {
namespace {

namespace words = start_error;

/// The host of "[USER@]HOST[:PORT]" or "ssh://[USER@]HOST[:PORT]".
std::string jump_name(std::string_view hop) {
    if (hop.starts_with("ssh://")) hop.remove_prefix(6);
    while (hop.ends_with('/'))
        hop.remove_suffix(1);
    hop.remove_prefix(hop.rfind('@') + 1);  // npos + 1 is 0
    if (hop.starts_with('[')) return std::string(hop.substr(1, hop.find(']') - 1));
    const bool has_port = std::count(hop.begin(), hop.end(), ':') == 1;
    return std::string(has_port ? hop.substr(0, hop.find(':')) : hop);
}

/// The text between the two; nothing: one of them is missing.
std::optional<std::string_view> between(std::string_view line, std::string_view before,
                                        std::string_view after) {
    const size_t at = line.find(before);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = line.substr(at + before.size());
    const size_t end = rest.find(after);
    if (end == std::string_view::npos) return std::nullopt;
    return rest.substr(0, end);
}

constexpr std::string_view open_failed = ": open failed: ";
constexpr std::string_view no_banner = "Connection timed out during banner exchange";

/// A client that has a proxy says so when that has ended; one without, when a server has. Nothing
/// is said after it.
bool ends_client(std::string_view line) {
    if (line == no_banner) return true;
    const bool greets = line.starts_with("kex_exchange_identification: ") ||
                        line.starts_with("ssh_exchange_identification: ");
    return greets && (has_words(line, "Connection closed") || has_words(line, "Connection reset") ||
                      has_words(line, "Broken pipe"));
}

/// A client may repeat its message, for a connection without an address.
bool repeats_end(std::string_view line) {
    return line.starts_with("Connection closed by UNKNOWN ") ||
           line.starts_with("Connection reset by UNKNOWN ") ||
           line.starts_with("banner exchange: Connection to UNKNOWN ");
}

/// A server has closed the connection of a client that has no proxy.
bool is_closed_by_server(std::string_view line) {
    return !repeats_end(line) &&
           (line.starts_with("Connection closed by ") || line.starts_with("Connection reset by "));
}

/// The host that a line is about.
struct Named {
    std::string user;
    std::string host;
    uint16_t port = 0;  ///< 0: the line does not tell
};

/// "HOST", or "[HOST]:PORT" as known_hosts has it.
Named known_host(std::string_view name) {
    Named named;
    const size_t end = name.find("]:");
    if (!name.starts_with('[') || end == std::string_view::npos) {
        named.host = name;
        return named;
    }
    named.host = name.substr(1, end - 1);
    named.port = parse_number<uint16_t>(name.substr(end + 2)).value_or(0);
    return named;
}

std::optional<Named> named_in(std::string_view line) {
    if (const auto host = between(line, "Could not resolve hostname ", ":"))
        return Named{{}, std::string(*host)};
    if (const auto host = between(line, "ssh: connect to host ", " port ")) {
        const auto port = between(line, " port ", ":").value_or("");
        return Named{{}, std::string(*host), parse_number<uint16_t>(port).value_or(0)};
    }
    if (is_refusal(line)) {
        const std::string_view who = line.substr(0, line.find(": "));
        const size_t at = who.rfind('@');
        if (at == std::string_view::npos) return std::nullopt;
        return Named{std::string(who.substr(0, at)), std::string(who.substr(at + 1))};
    }
    if (const auto host = between(line, " host key is known for ", " and "))
        return known_host(*host);
    if (const auto host = between(line, "Host key for ", " has changed")) return known_host(*host);
    return std::nullopt;
}

/// Reads what was said before the client that we ran ended.
class ProxyReading {
  public:
    ProxyReading(std::string_view text, const OpensshProxy& proxy) : proxy_(proxy) {
        find_line(text, [&](std::string_view line) {
            lines_.push_back(line);
            return false;
        });
        if (!lines_.empty() && is_closed_by_server(lines_.back())) ends_ = 1;
        while (!lines_.empty() && (ends_client(lines_.back()) || repeats_end(lines_.back()))) {
            if (ends_client(lines_.back())) ++ends_;
            timed_out_ = timed_out_ || lines_.back() == no_banner;
            lines_.pop_back();
        }
    }

    std::optional<StartFailure> run(std::chrono::milliseconds connect_timeout) const {
        if (ends_ == 0) return std::nullopt;
        if (lines_.empty()) return without_words(connect_timeout);
        const auto told = std::find_if(lines_.rbegin(), lines_.rend(), [](const auto& line) {
            return line.starts_with("channel ") && has_words(line, open_failed);
        });
        if (told != lines_.rend())
            return not_forwarded(told->substr(told->find(open_failed) + open_failed.size()));
        return of_jump_host();
    }

  private:
    /// Each client that has ended was carried by one that reaches the jump host before.
    std::string jump(size_t before) const {
        const size_t count = proxy_.jumps.size();
        return before > 0 && before <= count ? proxy_.jumps[count - before] : "";
    }

    std::string called(const std::string& jump) const {
        return jump.empty() ? proxy_.name : "the jump host " + jump;
    }

    StartFailure without_words(std::chrono::milliseconds connect_timeout) const {
        if (timed_out_) {
            Error error = words::no_answer(words::key_exchange, connect_timeout);
            error.hint += "; or " + proxy_.name + " hangs, try: ssh HOST true";
            return {std::move(error), Retry::no};
        }
        Error error = words::dropped(words::key_exchange);
        error.hint += "; or " + proxy_.name + " closed it, try: ssh HOST true";
        return {std::move(error), Retry::dropped};
    }

    /// The jump host let us in, and did not connect to the next host.
    StartFailure not_forwarded(std::string_view why) const {
        constexpr std::string_view tried = "connect failed: ";
        const std::string who = called(jump(ends_));
        if (has_words(why, "administratively prohibited"))
            return {words::make(words::connect,
                                who + " does not forward connections: " + std::string(why),
                                "AllowTcpForwarding and PermitOpen in its sshd_config")};
        if (!why.starts_with(tried))
            return {words::make(words::connect,
                                who + " does not forward connections: " + std::string(why))};
        why.remove_prefix(tried.size());
        const std::string next = jump(ends_ - 1);
        const std::string whither = next.empty() ? "" : " to the jump host " + next;
        return {words::make(
                    words::connect, who + " could not connect" + whither + ": " + std::string(why),
                    "try there: ssh " + (next.empty() ? "HOST" : shell_word(next)) + " true"),
                why == "Connection refused" ? Retry::refused : Retry::no};
    }

    StartFailure of_jump_host() const {
        Named named{{}, jump(ends_)};
        std::string_view told = lines_.back();
        for (auto line = lines_.rbegin(); line != lines_.rend(); ++line)
            if (auto found = named_in(*line)) {
                named = *std::move(found);
                told = *line;
                break;
            }
        if (is_refusal(told)) return refused_login(named, told);
        OpensshContext context{named.host, named.port};
        StartFailure failure = read_openssh_error(joined(lines_, "\n"), context);
        Error& error = failure.error;
        if (error == words::unknown_key(named.port))
            error.hint = "log in once by hand, if you trust the network now: " + by_hand(named);
        if (error.operation == words::start) return ended_after(called(named.host), error.cause);
        error.cause = called(named.host) + ": " + error.cause;
        return failure;
    }

    /// These words need not be why: a server may have greeted by them.
    static StartFailure ended_after(const std::string& proxy, const std::string& last_words) {
        return {
            words::make(words::connect, "the connection through " + proxy + " ended: " + last_words,
                        "try: ssh HOST true"),
            Retry::dropped};
    }

    /// The keys for a jump host are those that its own part of the config names.
    StartFailure refused_login(const Named& named, std::string_view told) const {
        std::string cause = called(named.host) + ": permission denied";
        if (!named.user.empty()) cause += " for " + named.user;
        if (const auto methods = between(told, "(", ")"))
            cause += "; the server accepts " + std::string(*methods);
        return {words::make(words::authenticate, std::move(cause),
                            "this command must work without asking for input: " + by_hand(named))};
    }

    static std::string by_hand(const Named& named) {
        if (named.host.empty()) return "ssh HOST true";
        const std::string user = named.user.empty() ? "" : named.user + "@";
        return "ssh " + shell_word(user + named.host) + " true";
    }

    const OpensshProxy& proxy_;
    std::vector<std::string_view> lines_;
    size_t ends_ = 0;
    bool timed_out_ = false;
};

}  // namespace

OpensshProxy proxy_of(const HostConfig& config) {
    OpensshProxy proxy;
    for_each_part(config.proxy_jump, ',',
                  [&](std::string_view hop) { proxy.jumps.push_back(jump_name(hop)); });
    if (!proxy.jumps.empty())
        proxy.name = (proxy.jumps.size() == 1 ? "the jump host " : "the jump hosts ") +
                     joined(proxy.jumps, ", ");
    else if (!config.proxy_command.empty())
        proxy.name = "its ProxyCommand";
    else if (config.undecided)
        proxy.name = "its proxy";
    return proxy;
}

std::optional<StartFailure> read_proxy_error(std::string_view stderr_text,
                                             const OpensshProxy& proxy,
                                             std::chrono::milliseconds connect_timeout) {
    if (proxy.name.empty()) return std::nullopt;
    return ProxyReading(stderr_text, proxy).run(connect_timeout);
}

}  // namespace launch
