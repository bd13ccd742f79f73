// SPDX-License-Identifier: MIT
// A user's ssh config, and the files that it includes.
#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>

#include "core/hosts/host.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"
#include "transports/ssh/host_config.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr size_t most_bytes = 1024;
constexpr size_t most_memory = 512u << 20;
constexpr std::string_view ours = "chacha20,aes128-gcm,aes256-gcm,aes128-ctr";

const SshUser user{"me",
                   "/h",
                   1000,
                   "/run/agent",
                   [](const std::string& other) {
                       return other == "a" ? std::optional<std::string>("/h/.ssh/a") : std::nullopt;
                   },
                   [](const std::string& name) {
                       return name == "B" ? std::optional<std::string>("/h/.ssh/b") : std::nullopt;
                   }};

std::string print_line(const std::vector<std::string>& words) {
    std::string line;
    for (const auto& word : words) {
        line += '"';
        for (const char c : word) {
            if (c == '"' || c == '\\') line += '\\';
            line += c;
        }
        line += "\" ";
    }
    return line;
}

void lines_come_back(std::string_view text) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const auto words = split_config_line(text.substr(0, end));
        size_t length = 0;
        for (const auto& word : words)
            length += word.size();
        require(length <= end, "nothing is made up");
        require(split_config_line(print_line(words)) == words, "the words that were quoted");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// The files, one after another, each ended by a zero byte.
ConfigFiles files_of(std::string_view bytes) {
    std::map<std::string, std::string> files;
    for (const char* name : {"/h/.ssh/config", "/etc/ssh/ssh_config", "/h/.ssh/a", "/h/.ssh/b"}) {
        const size_t end = std::min(bytes.find('\0'), bytes.size());
        files[name] = bytes.substr(0, end);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    ConfigFiles access;
    access.user = user;
    access.read = [files](const std::string& path) -> ConfigFile {
        const auto at = files.find(path);
        if (at == files.end()) return {{{}, ENOENT}, {}};
        return {{at->second, 0}, {}};
    };
    access.glob = [files](const std::string& pattern) {
        std::vector<std::string> found;
        for (const auto& [path, text] : files)
            if (pattern.ends_with('*') ? path.starts_with(pattern.substr(0, pattern.size() - 1))
                                       : path == pattern)
                found.push_back(path);
        return found;
    };
    return access;
}

std::set<std::string> names_of(std::string_view list) {
    std::set<std::string> names;
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        if (comma > 0)
            require(names.insert(std::string(list.substr(0, comma))).second, "once each");
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
}

void lay_over(const std::string& users) {
    const std::string list = combine_algorithms(ours, users);
    if (users.empty()) require(list == ours, "ours, where nothing is said");
    const char how = users.empty() ? '=' : users.front();
    if (how != '+' && how != '^' && how != '-') return;
    const auto names = names_of(list);
    const auto known = names_of(ours);
    const bool wider = std::includes(names.begin(), names.end(), known.begin(), known.end());
    const bool narrower = std::includes(known.begin(), known.end(), names.begin(), names.end());
    require(how == '-' ? narrower : wider, "ours and more, or fewer of ours");
}

bool lower_case(const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

void resolve(const std::vector<ConfigLine>& lines, const Host& host) {
    const HostConfig config = resolve_host(lines, user, host);
    require(config.port != 0 && (host.port == 0 || config.port == host.port), "a port");
    require(host.user.empty() || config.user == host.user, "the user who was named");
    require(lower_case(config.host_name) && lower_case(config.key_alias), "lower case");
    require(!config.user.empty() && !config.host_name.empty(), "somebody, somewhere");
    for (const auto& list : {config.kex, config.ciphers, config.macs, config.host_key_algorithms})
        lay_over(list);
}

}  // namespace

void fuzz::ssh_config(std::string_view bytes) {
    bytes = bytes.substr(0, most_bytes);
    lines_come_back(bytes);
    AllocationLimit limit(most_memory);
    const auto lines = read_ssh_config(
        {{"/h/.ssh/config", "/h/.ssh"}, {"/etc/ssh/ssh_config", "/etc/ssh"}}, files_of(bytes));
    limit.check();
    require(lines.size() == 2, "two files");
    resolve(lines, {{}, "node007", 0, 1});
    resolve(lines, {"root", "n1", 2222, 4});
}

}  // namespace launch
