#include "transports/ssh/openssh_errors.hpp"

#include <optional>

#include "transports/start_error.hpp"

namespace launch {
namespace {

namespace words = start_error;

constexpr std::string_view too_many = "Too many authentication failures";
constexpr std::string_view refusal_words = "Permission denied";

class Reading {
  public:
    Reading(std::string_view text, const OpensshContext& context)
        : text_(text), context_(context) {}

    StartFailure run() const {
        // What is worst comes first: a changed key is followed by "verification failed", that by
        // "connection closed".
        for (const auto part : {&Reading::config, &Reading::host_key, &Reading::resolve,
                                &Reading::connect, &Reading::authenticate, &Reading::exchange}) {
            if (auto failure = (this->*part)()) return *failure;
        }
        const std::string_view last = last_line();
        if (last.empty())
            return {words::make("start", "ssh ended with exit code 255 and without a word",
                                "does the login shell there exit with it? try: ssh HOST true"),
                    Retry::no};
        return {words::make("start", std::string(last)), Retry::no};
    }

  private:
    using Found = std::optional<StartFailure>;

    bool says(std::string_view what) const { return text_.find(what) != std::string_view::npos; }
    static Found failed(Error error, Retry retry = Retry::no) {
        return StartFailure{std::move(error), retry};
    }

    /// What stands between `before` and the first of `ends`; empty: `before` is not there.
    std::string between(std::string_view before, std::string_view ends) const {
        const size_t at = text_.find(before);
        if (at == std::string_view::npos) return {};
        const std::string_view rest = text_.substr(at + before.size());
        return std::string(rest.substr(0, rest.find_first_of(ends)));
    }

    std::string line_with(std::string_view what) const {
        const size_t at = text_.find(what);
        if (at == std::string_view::npos) return {};
        const size_t begin = text_.find_last_of("\r\n", at) + 1;  // npos + 1 is 0
        const std::string_view rest = text_.substr(begin);
        return std::string(rest.substr(0, rest.find_first_of("\r\n")));
    }

    std::string_view last_line() const {
        std::string_view text = text_;
        while (text.ends_with('\n') || text.ends_with('\r'))
            text.remove_suffix(1);
        const size_t begin = text.find_last_of("\r\n");
        return begin == std::string_view::npos ? text : text.substr(begin + 1);
    }

    /// What stands behind a colon, which is there or not: then all of it.
    static std::string behind(size_t colon, const std::string& line) {
        return colon == std::string::npos ? line : line.substr(colon + 2);
    }

    Found config() const {
        const std::string path = between("Bad owner or permissions on ", "\r\n");
        if (!path.empty()) return failed(words::badly_kept_config(path));
        for (const char* what :
             {"Bad configuration option", "bad configuration options", "Can't open user config"}) {
            if (says(what)) return failed(words::make(words::read_config, line_with(what)));
        }
        return std::nullopt;
    }

    Found host_key() const {
        if (says("REVOKED HOST KEY")) return failed(words::revoked_key());
        if (says("REMOTE HOST IDENTIFICATION HAS CHANGED")) {
            const std::string hash = between("SHA256:", ".\r\n");
            const std::string at = line_with("Offending ");
            const size_t in = at.find(" key in ");
            return failed(words::changed_key(context_.host_name, context_.port,
                                             hash.empty() ? "" : "SHA256:" + hash,
                                             in == std::string::npos ? "" : at.substr(in + 8)));
        }
        if (says("host key is known for") || says("Host key verification failed"))
            return failed(words::unknown_key(context_.port));
        return std::nullopt;
    }

    Found resolve() const {
        if (!says("Could not resolve hostname")) return std::nullopt;
        if (says("Name or service not known") || says("No address associated"))
            return failed(words::no_such_name());
        const std::string line = line_with("Could not resolve hostname");
        return failed(words::resolver_failed(behind(line.rfind(": "), line)));
    }

    Found connect() const {
        if (says("timed out during banner exchange"))
            return failed(words::no_answer(words::key_exchange, context_.connect_timeout));
        const std::string line = line_with("ssh: connect to ");
        if (line.empty()) return std::nullopt;
        const std::string why = behind(line.rfind(": "), line);
        if (why.empty()) return std::nullopt;
        if (why == "Connection refused")
            return failed(words::refused(context_.port), Retry::refused);
        if (why == "Connection timed out" || why == "Operation timed out")
            return failed(words::no_answer(words::connect, context_.connect_timeout));
        if (why == "No route to host" || why == "Network is unreachable")
            return failed(words::no_route());
        return failed(words::make(words::connect, why),
                      why == "Connection reset by peer" ? Retry::dropped : Retry::no);
    }

    Found authenticate() const {
        words::RefusedLogin login = context_.login;
        if (says(too_many)) return failed(words::too_many_keys(login));
        if (!says(refusal_words)) return std::nullopt;
        login.user = user(login.user);
        login.offered = between("Permission denied (", ")\r\n");
        return failed(words::denied(login));
    }

    /// "USER@HOST: Permission denied": a host on the way to this one may have said it.
    std::string user(const std::string& otherwise) const {
        const std::string line = line_with(refusal_words);
        const std::string who = line.substr(0, line.find(": "));
        const size_t at = who.rfind('@');
        if (at == std::string::npos || who.find(' ') != std::string::npos) return otherwise;
        return who.substr(at + 1) == context_.host_name ? who.substr(0, at) : who;
    }

    Found exchange() const {
        if (says("Unable to negotiate")) {
            const std::string line = line_with("Unable to negotiate");
            const std::string why = behind(line.find(": "), line);
            if (!why.empty()) return failed(words::make(words::key_exchange, why));
        }
        for (const char* what : {"exchange_identification: Connection closed",
                                 "exchange_identification: read: Connection reset",
                                 "Connection closed by", "Connection reset by", "Broken pipe"}) {
            if (says(what)) return failed(words::dropped(words::key_exchange), Retry::dropped);
        }
        if (says("Connection timed out"))
            return failed(words::no_answer(words::key_exchange, context_.connect_timeout));
        if (says("exchange_identification"))
            return failed(words::make(words::key_exchange, line_with("exchange_identification"),
                                      "is it an ssh server that listens there?"));
        return std::nullopt;
    }

    std::string_view text_;
    const OpensshContext& context_;
};

}  // namespace

bool is_refused_login(std::string_view stderr_text) {
    const auto says = [&](std::string_view what) {
        return stderr_text.find(what) != std::string_view::npos;
    };
    return says(refusal_words) || says(too_many);
}

StartFailure read_openssh_error(std::string_view stderr_text, const OpensshContext& context) {
    return Reading(stderr_text, context).run();
}

}  // namespace launch
