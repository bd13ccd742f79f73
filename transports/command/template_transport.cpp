// SPDX-License-Identifier: MIT
#include "transports/command/template_transport.hpp"

#include <array>
#include <cctype>

#include "core/tree/said_text.hpp"
#include "transports/command/command_transport.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

/// Exit codes of a shell or a container's runtime for the remote command: not executable, not
/// found.
constexpr int not_allowed = 126;
constexpr int not_found = 127;
constexpr int unknown = -1;

/// The most of a program's words that an error repeats.
constexpr size_t most_words = 240;

/// The file in the place of launch began to load and failed: it may be replaced.
bool does_not_load(std::string_view words) {
    constexpr auto said = std::to_array<std::string_view>(
        {"error while loading shared libraries", "version `GLIBC", "Exec format error"});
    for (const auto what : said)
        if (words.find(what) != std::string_view::npos) return true;
    return false;
}

bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

/// The host's name, where it stands as a word, becomes HOST.
std::string without_name(std::string text, const std::string& name) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const size_t end = at + name.size();
        const bool whole = (at == 0 || !in_name(text[at - 1])) &&
                           (end == text.size() || !in_name(text[end]) || text.substr(end) == ".");
        if (whole) text.replace(at, name.size(), "HOST");
    }
    return text;
}

/// As long as a run is known to be one, there is nothing to keep.
class TemplateRun : public CommandRun {
  public:
    explicit TemplateRun(std::vector<std::string> line) : line_(std::move(line)) {}
    std::vector<std::string> command_line() const override { return line_; }
    awaitable<void> settled() override { co_return; }

  private:
    std::vector<std::string> line_;
};

struct Template {
    CommandTemplate line;
    std::string user;

    std::vector<std::string> command_line(const StartRequest& request) const {
        return line.command_line(request.host, user, request.argv, request.otherwise,
                                 request.owners);
    }
    std::string by_hand(const Host& host, const std::vector<std::string>& argv) const {
        return line.by_hand(host, user, argv);
    }
};

using Shared = std::shared_ptr<const Template>;

awaitable<CommandService::Diagnosis> diagnose(Shared what, const StartRequest& request,
                                              CommandService::Ending ending) {
    co_return read_command_error(what->line.program(), request.host, ending.error_text,
                                 ending.exit_code, what->by_hand(request.host, {"true"}));
}

}  // namespace

std::optional<StartFailure> read_command_error(const std::string& program, const Host& host,
                                               std::string_view error_text,
                                               std::optional<int> exit_code,
                                               const std::string& by_hand) {
    const int code = exit_code.value_or(unknown);
    if (code == 0 || code == not_allowed || code == not_found) return std::nullopt;
    if (does_not_load(error_text)) return std::nullopt;
    std::string cause = program + " ended";
    if (exit_code) cause += " with exit code " + std::to_string(*exit_code);
    const std::string words = without_name(last_lines(error_text, most_words), host.name);
    cause += words.empty() ? " without a message" : ": " + words;
    return StartFailure{
        start_error::make("start", std::move(cause), "try: " + without_name(by_hand, host.name)),
        Retry::no};
}

std::unique_ptr<Transport> make_template_transport(const any_io_executor& executor, Reaper& reaper,
                                                   CommandTemplate line, std::string user) {
    const Shared what =
        std::make_shared<const Template>(Template{std::move(line), std::move(user)});
    CommandService service;
    service.prepare = [what](const StartRequest& request) {
        return std::make_unique<TemplateRun>(what->command_line(request));
    };
    service.command_line = [what](const StartRequest& request) {
        return what->command_line(request);
    };
    service.by_hand = [what](const std::vector<std::string>& argv) {
        Host host;
        host.name = "HOST";
        return what->by_hand(host, argv);
    };
    service.diagnose = [what](const StartRequest& request, CommandService::Ending ending) {
        return diagnose(what, request, std::move(ending));
    };
    return make_command_transport(executor, reaper, std::move(service));
}

}  // namespace launch
