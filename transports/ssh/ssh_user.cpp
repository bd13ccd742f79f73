// SPDX-License-Identifier: MIT
#include "transports/ssh/ssh_user.hpp"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>
#include <vector>

namespace launch {
namespace {

constexpr size_t entry_size = size_t{16} * 1024;

std::optional<std::string> home_of_user(const std::string& user) {
    std::vector<char> buffer(entry_size);
    passwd entry{};
    passwd* found = nullptr;
    ::getpwnam_r(user.c_str(), &entry, buffer.data(), buffer.size(), &found);
    if (found == nullptr) return std::nullopt;
    return found->pw_dir;
}

std::optional<std::string> variable_here(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
}

}  // namespace

SshUser current_ssh_user() {
    SshUser user;
    user.uid = ::getuid();
    user.agent = variable_here("SSH_AUTH_SOCK").value_or("");
    user.home_of = home_of_user;
    user.variable = variable_here;
    std::vector<char> buffer(entry_size);
    passwd entry{};
    passwd* found = nullptr;
    ::getpwuid_r(user.uid, &entry, buffer.data(), buffer.size(), &found);
    if (found != nullptr) {
        user.name = found->pw_name;
        user.home = found->pw_dir;
        return user;
    }
    // A container whose user is in no database.
    user.name = variable_here("USER").value_or(std::to_string(user.uid));
    user.home = variable_here("HOME").value_or("/");
    return user;
}

}  // namespace launch
