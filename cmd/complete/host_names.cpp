// SPDX-License-Identifier: MIT
#include "cmd/complete/host_names.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cmd/options/values.hpp"
#include "core/base/file_text.hpp"
#include "core/hosts/hostfile.hpp"
#include "transports/ssh/config_text.hpp"

namespace launch {
namespace {

constexpr size_t most_bytes = 1 << 20;  ///< of a file: completion is to be quick

/// Adds the names of a regular file. Reading a pipe could block, and would take its contents from a
/// later reader.
void add_hostfile(const std::string& path, std::vector<std::string>& names) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return;
    std::istringstream file(read_file(path, most_bytes).text);
    const auto hosts = parse_hostfile(file, path);
    if (!hosts) return;
    for (const auto& host : *hosts)
        names.push_back(host.name);
}

bool is_pattern(std::string_view name) {
    return name.find_first_of("*?!") != std::string_view::npos;
}

void add_config(const std::vector<ConfigLine>& lines, std::vector<std::string>& names) {
    for (const auto& line : lines) {
        add_config(line.included, names);
        if (line.keyword != "host") continue;
        for (const auto& name : line.words)
            if (!is_pattern(name)) names.push_back(name);
    }
}

}  // namespace

std::vector<std::string> names_in_known_hosts(std::string_view text) {
    std::vector<std::string> names;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string field;
        words >> field;
        if (field.starts_with('@')) words >> field;
        if (field.starts_with('#') || field.starts_with('|')) continue;
        for (auto name : split_commas(field)) {
            if (name.starts_with('['))  // [name]:port
                name = name.substr(1, std::min(name.find(']'), name.size()) - 1);
            if (!is_pattern(name)) names.push_back(std::move(name));
        }
    }
    return names;
}

std::vector<std::string> names_of_hostfiles(const std::vector<std::string>& hostfiles) {
    std::vector<std::string> names;
    for (const auto& path : hostfiles)
        add_hostfile(path, names);
    return names;
}

std::vector<std::string> host_names(const std::vector<std::string>& hostfiles,
                                    const std::string& home) {
    auto names = names_of_hostfiles(hostfiles);
    SshUser user = current_ssh_user();
    user.home = home;
    const auto config = read_ssh_config(ssh_config_sources({}, home), real_config_files(user));
    add_config(config, names);
    for (const auto& path : {home + "/.ssh/known_hosts", std::string("/etc/ssh/ssh_known_hosts")}) {
        const auto more = names_in_known_hosts(read_file(path, most_bytes).text);
        names.insert(names.end(), more.begin(), more.end());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace launch
