#include "transports/ssh/config_text.hpp"

#include <algorithm>
#include <fstream>
#include <glob.h>
#include <sstream>

#include "core/base/lower.hpp"

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

    void read(const ConfigSource& source, int depth, std::vector<ConfigLine>& lines) {
        const auto text = files_.read(source.path);
        if (!text) return;
        std::istringstream stream(*text);
        std::string row;
        while (std::getline(stream, row)) {
            auto words = split_config_line(row);
            if (words.empty()) continue;
            ConfigLine line;
            line.keyword = lower(std::move(words.front()));
            line.words.assign(std::make_move_iterator(words.begin() + 1),
                              std::make_move_iterator(words.end()));
            if (line.keyword == "include") include(line, source.include_folder, depth);
            lines.push_back(std::move(line));
        }
    }

  private:
    void include(ConfigLine& line, const std::string& folder, int depth) {
        for (std::string pattern : line.words) {
            if (pattern.starts_with("~/")) {
                pattern.replace(0, 1, files_.home);
            } else if (!pattern.starts_with('/')) {
                pattern.insert(0, folder + '/');
            }
            for (const auto& path : files_.glob(pattern)) {
                line.endless = line.endless || depth == deepest_include || ++read_ > most_files;
                if (!line.endless) read({path, folder}, depth + 1, line.included);
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
        reader.read(source, 0, whole.included);
        lines.push_back(std::move(whole));
    }
    return lines;
}

ConfigFiles real_config_files(std::string home) {
    ConfigFiles files;
    files.home = std::move(home);
    files.read = [](const std::string& path) -> std::optional<std::string> {
        std::ifstream file(path, std::ios::binary);
        if (!file) return std::nullopt;
        std::ostringstream text;
        text << file.rdbuf();
        return std::move(text).str();
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
