// SPDX-License-Identifier: MIT
#include "transports/command/command_template.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/base_name.hpp"
#include "core/base/list_text.hpp"
#include "transports/remote_command.hpp"

namespace launch {
namespace {

constexpr std::string_view host_place = "{host}";
constexpr std::string_view port_place = "{port}";
constexpr std::string_view user_place = "{user}";
constexpr std::string_view command_place = "{command}";
constexpr std::string_view argv_place = "{argv}";
constexpr std::string_view hosts_place = "{hosts}";
constexpr std::string_view count_place = "{count}";
constexpr auto places = std::to_array<std::string_view>(
    {host_place, hosts_place, count_place, port_place, user_place, command_place, argv_place});

/// Programs that execute the words that they are given, without a shell that reads them first.
constexpr auto executing_words =
    std::to_array<std::string_view>({"srun", "flux", "pbsdsh", "docker", "podman", "nerdctl",
                                     "kubectl", "oc", "lxc", "machinectl", "nsenter", "chroot"});

/// Programs that start what they are given on every host of a job, with nothing on standard input.
constexpr auto without_input = std::to_array<std::string_view>({"pbsdsh"});

/// Slurm's daemons pass standard input on as it is, and mostly know each other by MUNGE. (flux
/// encrypts what it passes on.)
constexpr auto with_munge = std::to_array<std::string_view>({"srun"});

/// They run what follows them.
constexpr auto prefixes = std::to_array<std::string_view>({"sudo", "doas", "env", "nice"});

Error wrong(std::string cause, std::string hint = {}) {
    Error error;
    error.kind = ErrorKind::usage;
    error.cause = std::move(cause);
    error.hint = std::move(hint);
    return error;
}

template <class List>
bool is_one_of(const List& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

/// The first "{letters}" from `at` on; empty: there are no more.
std::string_view next_place(std::string_view text, size_t& at) {
    for (at = text.find('{', at); at != std::string_view::npos; at = text.find('{', at + 1)) {
        const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at + 1);
        if (end != std::string_view::npos && text[end] == '}' && end > at + 1)
            return text.substr(at, end + 1 - at);
    }
    return {};
}

}  // namespace

/// Words as a shell reads them.
struct CommandTemplate::Reader {
    std::string_view text;
    std::vector<Word> words = {};
    Word word = {};
    bool inside = false;  ///< of a word

    Status read() {
        while (!text.empty()) {
            auto taken = take();
            if (!taken) return taken;
        }
        end_word();
        return Ok{};
    }

    void end_word() {
        if (inside) words.push_back(std::move(word));
        word = {};
        inside = false;
    }

    void put(std::string_view part, bool quoted) {
        word.text += part;
        word.bare = word.bare && !quoted;
        inside = true;
    }

    Status take() {
        const char c = text.front();
        text.remove_prefix(1);
        if (c == ' ' || c == '\t' || c == '\n') {
            end_word();
        } else if (c == '\'') {
            return take_single();
        } else if (c == '"') {
            return take_double();
        } else if (c == '\\') {
            if (text.empty()) return wrong("the command ends with a backslash");
            put(text.substr(0, 1), true);
            text.remove_prefix(1);
        } else if (contains("$`|&;<>()", {&c, 1})) {
            return wrong(std::string("no shell runs the command, so ") + c + " has no meaning",
                         "quote the character, or run a shell: sh -c '... \"$1\"' sh {command}");
        } else {
            put({&c, 1}, false);
        }
        return Ok{};
    }

    Status take_single() {
        const size_t end = text.find('\'');
        if (end == std::string_view::npos) return wrong("a ' is not closed");
        put(text.substr(0, end), true);
        text.remove_prefix(end + 1);
        return Ok{};
    }

    Status take_double() {
        put({}, true);
        while (!text.empty() && text.front() != '"') {
            if (text.front() == '\\' && text.size() > 1 && contains("$`\"\\", text.substr(1, 1)))
                text.remove_prefix(1);
            put(text.substr(0, 1), true);
            text.remove_prefix(1);
        }
        if (text.empty()) return wrong("a \" is not closed");
        text.remove_prefix(1);
        return Ok{};
    }
};

Result<CommandTemplate> CommandTemplate::parse(std::string_view text) {
    if (contains(text, std::string_view("\0", 1))) return wrong("the command has a zero byte");
    Reader reader{text};
    auto read = reader.read();
    if (!read) return std::move(read.error());
    CommandTemplate made;
    bool optional = false;
    bool begins = false;
    for (Word& word : reader.words) {
        const bool opens = word.bare && word.text == "[";
        const bool closes = word.bare && word.text == "]";
        if ((opens && optional) || (closes && !optional))
            return wrong(opens ? "a [ within [ ]" : "a ] without [");
        if (opens || closes) {
            optional = begins = opens;
            continue;
        }
        word.optional = optional;
        word.group_begins = std::exchange(begins, false);
        made.words_.push_back(std::move(word));
    }
    if (optional) return wrong("a [ without ]");
    auto finished = made.finish();
    if (!finished) return std::move(finished.error());
    return made;
}

Status CommandTemplate::finish() {
    if (words_.empty()) return wrong("the command is empty", "for example command:rsh {host}");
    for (const Word& word : words_) {
        auto checked = check_places(word);
        if (!checked) return checked;
    }
    if (words_.front().optional) return wrong("the program must not stand in [ ]");
    find_program();
    auto checked = check_hosts();
    if (!checked) return checked;
    const auto of_command = std::count_if(words_.begin(), words_.end(), [](const Word& word) {
        return word.text == command_place || word.text == argv_place;
    });
    if (of_command > 1) return wrong("only one {command} or {argv} may be used");
    if (of_command == 0) {
        const bool executes = is_one_of(executing_words, program_);
        words_.push_back({std::string(executes ? argv_place : command_place)});
    }
    return Ok{};
}

void CommandTemplate::find_program() {
    const auto is_prefix = [](const Word& word) {
        return is_one_of(prefixes, base_name(word.text)) || word.text.starts_with('-') ||
               contains(word.text, "=");
    };
    auto program = std::find_if_not(words_.begin(), words_.end(), is_prefix);
    if (program == words_.end()) program = words_.begin();
    program_ = base_name(program->text);
    hands_no_input_ = is_one_of(without_input, program_);
    has_munge_ = is_one_of(with_munge, program_);
    starts_all_ = hands_no_input_ || has(hosts_place);
}

Status CommandTemplate::check_hosts() const {
    if (hands_no_input_ && (has(host_place) || has(hosts_place)))
        return wrong(program_ + " starts all hosts of its job, so it cannot have " +
                         std::string(has(host_place) ? host_place : hosts_place),
                     "for example command:" + program_ + " -- {argv}");
    if (!hands_no_input_ && has(hosts_place) == has(host_place))
        return wrong(starts_all_ ? "use {host} or {hosts}, not both" : "{host} is missing");
    if (starts_all_ && (has(user_place) || has(port_place)))
        return wrong(
            "{user} and {port} differ from host to host, but " +
            (hands_no_input_ ? program_ + " starts" : std::string(hosts_place) + " names") +
            " all hosts at once");
    if (!starts_all_ && has(count_place)) return wrong("{count} needs {hosts}");
    return Ok{};
}

Status CommandTemplate::check_places(const Word& word) {
    size_t at = 0;
    for (auto place = next_place(word.text, at); !place.empty();
         at += place.size(), place = next_place(word.text, at)) {
        if (!is_one_of(places, place))
            return wrong("unknown " + std::string(place),
                         "known: {host}, {port}, {user}, {hosts}, {count}, {command} and {argv}");
        const bool of_command = place == command_place || place == argv_place;
        if (of_command && (place.size() != word.text.size() || word.optional))
            return wrong(std::string(place) + " must be a word of its own",
                         "for example with a shell: sh -c '... \"$1\"' sh {command}");
    }
    return Ok{};
}

bool CommandTemplate::has(std::string_view place) const {
    return std::any_of(words_.begin(), words_.end(),
                       [&](const Word& word) { return contains(word.text, place); });
}

bool CommandTemplate::requires_port() const {
    return std::any_of(words_.begin(), words_.end(), [](const Word& word) {
        return !word.optional && contains(word.text, port_place);
    });
}

std::string CommandTemplate::objection_to(const Host& host) const {
    if (!host.user.empty() && !has(user_place))
        return "a user is given for the host, but the command has no {user}";
    if (host.port != 0 && !has(port_place))
        return "a port is given for the host, but the command has no {port}";
    if (host.port == 0 && requires_port())
        return "the command has {port}, but the host has no port: HOST:PORT:SLOTS";
    return {};
}

std::vector<std::string> CommandTemplate::command_line(const Host& host, const std::string& user,
                                                       const std::vector<std::string>& argv,
                                                       const std::vector<std::string>& otherwise,
                                                       const std::vector<uint32_t>& owners) const {
    return fill(host, user, remote_command(argv, otherwise, owners),
                remote_words(argv, otherwise, owners));
}

std::vector<std::string> CommandTemplate::all_command_line(const std::vector<Host>& hosts,
                                                           const std::vector<std::string>& argv,
                                                           const std::string& command) const {
    std::string names;
    for (const Host& host : hosts)
        append_part(names, ",", host.name);
    auto line = fill({}, {}, command, argv);
    for (std::string& word : line) {
        replace_all(word, hosts_place, names);
        replace_all(word, count_place, std::to_string(hosts.size()));
    }
    return line;
}

std::string CommandTemplate::by_hand(const Host& host, const std::string& user,
                                     const std::vector<std::string>& argv) const {
    return shell_line(fill(host, user, shell_line(argv), argv));
}

std::vector<std::string> CommandTemplate::fill(const Host& host, const std::string& user,
                                               const std::string& command,
                                               const std::vector<std::string>& argv) const {
    std::vector<std::string> line;
    const auto is_missing = [&](const Word& word) {
        return (host.user.empty() && contains(word.text, user_place)) ||
               (host.port == 0 && contains(word.text, port_place));
    };
    for (auto word = words_.begin(); word != words_.end(); ++word) {
        if (word->group_begins) {
            const auto ends = std::find_if(word + 1, words_.end(), [](const Word& next) {
                return !next.optional || next.group_begins;
            });
            if (std::any_of(word, ends, is_missing)) {
                word = ends - 1;
                continue;
            }
        }
        if (word->text == command_place) {
            line.push_back(command);
        } else if (word->text == argv_place) {
            line.insert(line.end(), argv.begin(), argv.end());
        } else {
            line.push_back(word->text);
            replace_all(line.back(), host_place, host.name);
            replace_all(line.back(), user_place, host.user.empty() ? user : host.user);
            replace_all(line.back(), port_place, std::to_string(host.port));
        }
    }
    return line;
}

}  // namespace launch
