// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// A command line that runs another on a host, with placeholders for what changes from start to
/// start:
///
///     docker exec -i [ -u {user} ] {host} {argv}
///
/// Its words are read as a POSIX shell reads them (quotes and backslashes), but nothing in it is
/// expanded and no shell is started. {host}, {port} and {user} may stand within words. Words
/// between `[` and `]` are left out for a host that has no value for a placeholder in them. The
/// placeholder of the remote command is a word of its own:
///  - {command}: as one word, for a service that passes it to a login shell there, such as ssh and
///    rsh;
///  - {argv}: as words, for a service that executes them as they are, such as docker and kubectl.
/// {hosts} instead of {host} means that one command starts all hosts, whose names it gets with
/// commas between them, and {count} is their number. Then no host has streams of its own. pbsdsh
/// has neither: it starts a command on all hosts of its job, and passes no input on. A template
/// without a placeholder for the command ends with {argv} if its program is known to execute words,
/// and else with {command}. Pure.
class CommandTemplate {
  public:
    /// Errors are of kind usage; their cause says what is wrong with the text.
    static Result<CommandTemplate> parse(std::string_view text);

    /// The command line for a start. `user`: the value of {user} if the host names none, outside of
    /// brackets. StartRequest explains argv, otherwise and owners.
    std::vector<std::string> command_line(const Host& host, const std::string& user,
                                          const std::vector<std::string>& argv,
                                          const std::vector<std::string>& otherwise,
                                          const std::vector<uint32_t>& owners = {}) const;

    /// The command line with which a person would run the words there.
    std::string by_hand(const Host& host, const std::string& user,
                        const std::vector<std::string>& argv) const;

    /// It starts all hosts at once: all_command_line() is for it.
    bool starts_all() const { return starts_all_; }
    /// `command`: what argv does, as one word for a login shell.
    std::vector<std::string> all_command_line(const std::vector<Host>& hosts,
                                              const std::vector<std::string>& argv,
                                              const std::string& command) const;

    /// Standard input does not reach what it starts.
    bool hands_no_input() const { return hands_no_input_; }

    /// Standard input goes in the clear to hosts that mostly share a key of MUNGE's.
    bool has_munge() const { return has_munge_; }

    /// A value of the host for which the template has no placeholder, or the other way round; or
    /// nothing.
    std::string objection_to(const Host& host) const;

    /// The name of what is executed, without its folders and without sudo before it.
    const std::string& program() const { return program_; }

  private:
    struct Word {
        std::string text;
        bool bare = true;  ///< no part of it is quoted
        bool optional = false;
        bool group_begins = false;  ///< it is the first of its brackets
    };
    struct Reader;

    Status finish();
    void find_program();
    Status check_hosts() const;
    std::vector<std::string> fill(const Host& host, const std::string& user,
                                  const std::string& command,
                                  const std::vector<std::string>& argv) const;
    Status check_places(const Word& word);
    bool has(std::string_view place) const;
    bool requires_port() const;

    std::vector<Word> words_;
    std::string program_;
    bool starts_all_ = false;
    bool has_munge_ = false;
    bool hands_no_input_ = false;
};

}  // namespace launch
