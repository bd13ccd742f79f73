// SPDX-License-Identifier: MIT
#include "transports/ssh/openssh_errors.hpp"

#include <optional>

#include "core/base/number_text.hpp"
#include "transports/ssh/said_lines.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

namespace words = start_error;

constexpr std::string_view too_many = "Too many authentication failures";
constexpr std::string_view refusal_words = "Permission denied (";

/// The text after a colon; the whole line if it has none.
std::string behind(size_t colon, std::string_view line) {
    return std::string(colon == std::string_view::npos ? line : line.substr(colon + 2));
}

class OpensshReading {
  public:
    OpensshReading(std::string_view text, const OpensshContext& context)
        : text_(text), context_(context) {}

    StartFailure run() const {
        // The most serious message comes first: a changed key is followed by "verification failed",
        // and that by "connection closed".
        for (const auto part :
             {&OpensshReading::config, &OpensshReading::host_key, &OpensshReading::resolve,
              &OpensshReading::connect, &OpensshReading::authenticate, &OpensshReading::exchange}) {
            if (auto failure = (this->*part)()) return *failure;
        }
        const std::string_view last = line_before({});
        if (last.empty())
            return {words::make(words::start, "ssh ended with exit code 255 without a message",
                                "does the login shell there exit with 255? try: ssh HOST true"),
                    Retry::no};
        return {words::make(words::start, std::string(last)), Retry::no};
    }

  private:
    using Found = std::optional<StartFailure>;

    static Found failed(Error error, Retry retry = Retry::no) {
        return StartFailure{std::move(error), retry};
    }

    bool says(std::string_view what) const { return has_words(text_, what); }
    std::string_view line_with(std::string_view what) const {
        return find_line(text_, [&](std::string_view line) { return has_words(line, what); });
    }
    std::string_view line_of(std::string_view beginning) const {
        return find_line(text_, [&](std::string_view line) { return line.starts_with(beginning); });
    }
    /// The line before that one, which is a part of the text; of none, the last.
    std::string_view line_before(std::string_view line) const {
        std::string_view before;
        find_line(text_, [&](std::string_view each) {
            const bool is_there = each.data() == line.data();
            if (!is_there) before = each;
            return is_there;
        });
        return before;
    }

    /// The text between `before` and the first of `ends`; empty: `before` does not occur.
    static std::string cut(std::string_view text, std::string_view before, std::string_view ends) {
        const size_t at = text.find(before);
        if (at == std::string_view::npos) return {};
        const std::string_view rest = text.substr(at + before.size());
        return std::string(rest.substr(0, rest.find_first_of(ends)));
    }

    Found config() const {
        const std::string path = cut(text_, "Bad owner or permissions on ", "\r\n");
        if (!path.empty()) return failed(words::badly_kept_config(path));
        for (const char* what : {"Bad configuration option", "Can't open user config"}) {
            const std::string_view line = line_with(what);
            if (!line.empty()) return failed(words::make(words::read_config, std::string(line)));
        }
        const std::string_view end = line_with(" bad configuration options");
        if (end.empty()) return std::nullopt;
        const std::string_view why = line_before(end);
        return failed(words::make(words::read_config, std::string(why.empty() ? end : why)));
    }

    Found host_key() const {
        if (says("REVOKED HOST KEY")) return failed(words::revoked_key());
        if (says("REMOTE HOST IDENTIFICATION HAS CHANGED")) {
            const std::string hash = cut(text_, "SHA256:", ".\r\n");
            const std::string_view at = line_with("Offending ");
            const size_t in = at.find(" key in ");
            return failed(words::changed_key(
                context_.host_name, context_.port, hash.empty() ? "" : "SHA256:" + hash,
                in == std::string_view::npos ? "" : std::string(at.substr(in + 8))));
        }
        const bool unknown = has_words(line_of("No "), " host key is known for ");
        if (unknown || !line_of("Host key verification failed").empty())
            return failed(words::unknown_key(context_.port));
        return std::nullopt;
    }

    Found resolve() const {
        const std::string_view line = line_with("Could not resolve hostname");
        if (line.empty()) return std::nullopt;
        if (has_words(line, "Name or service not known") ||
            has_words(line, "No address associated"))
            return failed(words::no_such_name(context_.login.starter));
        return failed(
            words::resolver_failed(behind(line.rfind(": "), line), context_.login.starter));
    }

    Found connect() const {
        if (!line_of("Connection timed out during banner exchange").empty())
            return failed(words::no_answer(words::key_exchange, context_.connect_timeout));
        const std::string_view line = line_of("ssh: connect to ");
        if (line.empty()) return std::nullopt;
        std::string why = behind(line.rfind(": "), line);
        if (why.empty()) return std::nullopt;
        if (why == "Connection refused")
            return failed(words::refused(port_in(line)), Retry::refused);
        if (why == "Connection timed out" || why == "Operation timed out")
            return failed(words::no_answer(words::connect, context_.connect_timeout));
        if (why == "No route to host" || why == "Network is unreachable")
            return failed(words::no_route());
        // If it failed before the connection, such as with a BindAddress, the line before names the
        // cause.
        const std::string_view before = line_before(line);
        if (why == "failure" && !before.empty()) why = before;
        const Retry retry = why == "Connection reset by peer" ? Retry::dropped : Retry::no;
        return failed(words::make(words::connect, std::move(why)), retry);
    }

    uint16_t port_in(std::string_view line) const {
        constexpr std::string_view before = " port ";
        const size_t at = line.rfind(before);
        if (at == std::string_view::npos) return context_.port;
        const std::string_view port = line.substr(at + before.size());
        return parse_number<uint16_t>(port.substr(0, port.find(':'))).value_or(context_.port);
    }

    Found authenticate() const {
        words::RefusedLogin login = context_.login;
        if (says(too_many)) return failed(words::too_many_keys(login));
        const std::string_view line = find_line(text_, is_refusal);
        if (line.empty()) return std::nullopt;
        login.user = user(line, login.user);
        login.offered = cut(line, refusal_words, ")");
        return failed(words::denied(login));
    }

    std::string user(std::string_view line, const std::string& otherwise) const {
        const std::string who(line.substr(0, line.find(": ")));
        const size_t at = who.rfind('@');
        if (at == std::string::npos || who.find(' ') != std::string::npos) return otherwise;
        return who.substr(at + 1) == context_.host_name ? who.substr(0, at) : who;
    }

    Found exchange() const {
        const std::string_view differs = line_of("Unable to negotiate");
        if (!differs.empty()) {
            const std::string why = behind(differs.find(": "), differs);
            if (!why.empty()) return failed(words::make(words::key_exchange, why));
        }
        const std::string_view greeting = line_with("_exchange_identification: ");
        for (const char* what : {"Connection closed", "read: Connection reset", "Broken pipe"})
            if (has_words(greeting, what))
                return failed(words::dropped(words::key_exchange), Retry::dropped);
        if (!greeting.empty())
            return failed(words::make(words::key_exchange, std::string(greeting),
                                      "is an ssh server listening there?"));
        for (const char* what : {"Connection closed by ", "Connection reset by "})
            if (!line_of(what).empty())
                return failed(words::dropped(words::key_exchange), Retry::dropped);
        return broken_off();
    }

    /// The connection failed later, while keys were exchanged or the login was under way.
    Found broken_off() const {
        std::string_view line = line_of("ssh_dispatch_run_fatal: Connection to ");
        if (line.empty()) line = line_of("client_loop: send disconnect: ");
        if (line.empty()) return std::nullopt;
        const std::string why = behind(line.rfind(": "), line);
        if (why.empty()) return std::nullopt;
        if (why == "Broken pipe" || why == "Connection reset by peer")
            return failed(words::dropped(words::key_exchange), Retry::dropped);
        if (why == "Connection timed out")
            return failed(words::no_answer(words::key_exchange, context_.connect_timeout));
        return failed(words::make(words::key_exchange, why));
    }

    std::string_view text_;
    const OpensshContext& context_;
};

}  // namespace

bool is_refusal(std::string_view line) {
    const size_t at = line.find(refusal_words);
    if (at == std::string_view::npos) return false;
    const std::string_view who = line.substr(0, at);
    return who.empty() || (who.ends_with(": ") && who.find(' ') == who.size() - 1);
}

bool is_refused_login(std::string_view stderr_text) {
    return has_words(stderr_text, too_many) || !find_line(stderr_text, is_refusal).empty();
}

StartFailure read_openssh_error(std::string_view stderr_text, const OpensshContext& context) {
    auto failure = read_proxy_error(stderr_text, context.proxy, context.connect_timeout);
    return failure ? *std::move(failure) : OpensshReading(stderr_text, context).run();
}

}  // namespace launch
