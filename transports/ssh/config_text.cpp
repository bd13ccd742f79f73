// SPDX-License-Identifier: MIT
#include "transports/ssh/config_text.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <glob.h>
#include <sstream>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "core/base/lower.hpp"
#include "transports/ssh/expansion.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

/// As OpenSSH: deeper Includes are an error there, most likely a cycle.
constexpr int deepest_include = 16;
/// A file that includes itself twice is read 65,536 times before that is too deep.
constexpr size_t most_files = 1000;

bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

/// Reads one word at `at` and steps behind it.
std::string take_word(std::string_view line, size_t& at, bool keyword) {
    std::string word;
    char quote = 0;
    for (; at < line.size(); ++at) {
        const char c = line[at];
        if (quote == 0 && (blank(c) || (keyword && c == '='))) break;
        const bool escapes = c == '\\' && at + 1 < line.size() &&
                             (line[at + 1] == '\\' || line[at + 1] == '"' || line[at + 1] == '\'' ||
                              (quote == 0 && line[at + 1] == ' '));
        if (escapes) {
            word += line[++at];
        } else if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else {
            word += c;
        }
    }
    return word;
}

class Reader {
  public:
    explicit Reader(const ConfigFiles& files) : files_(files) {}

    /// Adds the file's lines to those that `whole`, an "include", has.
    void read(const ConfigSource& source, int depth, ConfigLine& whole) {
        const ConfigFile file = files_.read(source.path);
        if (auto fault = fault_of(source, file)) whole.faults.push_back(*std::move(fault));
        if (file.text.error != 0 || !whole.faults.empty()) return;
        std::istringstream stream(file.text.text);
        std::string row;
        while (std::getline(stream, row)) {
            auto words = split_config_line(row);
            if (words.empty()) continue;
            ConfigLine line;
            line.keyword = lower(std::move(words.front()));
            line.words.assign(std::make_move_iterator(words.begin() + 1),
                              std::make_move_iterator(words.end()));
            if (line.keyword == "include") include(line, source.include_folder, depth);
            whole.included.push_back(std::move(line));
        }
    }

  private:
    std::optional<Error> fault_of(const ConfigSource& source, const ConfigFile& file) const {
        if (is_absent(file.text.error)) return std::nullopt;
        if (file.text.error != 0)
            return start_error::unreadable_config(source.path, file.text.error);
        if (!source.guarded) return std::nullopt;
        switch (objection_to_config(file.permissions, files_.user.uid)) {
            case ConfigObjection::owner: return start_error::foreign_config(source.path);
            case ConfigObjection::writable: return start_error::writable_config(source.path);
            default: return std::nullopt;
        }
    }

    void include(ConfigLine& line, const std::string& folder, int depth) {
        const auto no_token = [](char) { return std::optional<std::string>(); };
        for (const auto& word : line.words) {
            const auto name = expand_text(word, files_.user, no_token);
            if (!name) {
                line.unread = true;
                continue;
            }
            auto pattern = expand_tilde(*name, files_.user);
            if (!pattern) continue;  // as ssh: no file matches
            if (!pattern->starts_with('/')) pattern->insert(0, folder + '/');
            for (const auto& path : files_.glob(*pattern)) {
                line.unread = line.unread || depth == deepest_include || ++read_ > most_files;
                if (!line.unread) read({path, folder, true}, depth + 1, line);
            }
        }
    }

    const ConfigFiles& files_;
    size_t read_ = 0;  ///< files that were included
};

}  // namespace

std::vector<std::string> split_config_line(std::string_view line) {
    std::vector<std::string> words;
    size_t at = 0;
    const auto skip_blanks = [&] {
        while (at < line.size() && blank(line[at]))
            ++at;
    };
    for (;;) {
        skip_blanks();
        if (at == line.size() || line[at] == '#') break;
        words.push_back(take_word(line, at, words.empty()));
        if (words.size() > 1) continue;
        skip_blanks();
        if (at < line.size() && line[at] == '=') ++at;
    }
    return words;
}

std::vector<ConfigLine> read_ssh_config(const std::vector<ConfigSource>& sources,
                                        const ConfigFiles& files) {
    Reader reader(files);
    std::vector<ConfigLine> lines;
    for (const auto& source : sources) {
        // A Host of one file does not reach into the next.
        ConfigLine whole;
        whole.keyword = "include";
        reader.read(source, 0, whole);
        lines.push_back(std::move(whole));
    }
    return lines;
}

std::string ssh_config_here(const std::string& asked_for) {
    if (asked_for == "none") return asked_for;
    const bool absent = ::access(asked_for.c_str(), F_OK) != 0 && is_absent(errno);
    return absent ? std::string() : asked_for;
}

std::vector<ConfigSource> ssh_config_sources(const std::string& asked_for,
                                             const std::string& home) {
    const std::string folder = home + "/.ssh";
    if (asked_for == "none") return {};
    if (!asked_for.empty()) return {{asked_for, folder}};
    return {{folder + "/config", folder, true}, {"/etc/ssh/ssh_config", "/etc/ssh"}};
}

ConfigFiles real_config_files(SshUser user) {
    ConfigFiles files;
    files.user = std::move(user);
    files.read = [](const std::string& path) -> ConfigFile {
        const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (!file) return {{{}, errno}, {}};
        return {read_file(file.get()), permissions_of(file.get())};
    };
    files.glob = [](const std::string& pattern) {
        glob_t found{};
        std::vector<std::string> paths;
        if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
            paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
        ::globfree(&found);
        return paths;
    };
    return files;
}

}  // namespace launch
