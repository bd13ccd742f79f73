#include "transports/ssh/ssh_user.hpp"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace launch {

SshUser current_ssh_user() {
    SshUser user;
    user.uid = ::getuid();
    const char* agent = std::getenv("SSH_AUTH_SOCK");
    if (agent != nullptr) user.agent = agent;
    std::vector<char> buffer(size_t{16} * 1024);
    passwd entry{};
    passwd* found = nullptr;
    ::getpwuid_r(user.uid, &entry, buffer.data(), buffer.size(), &found);
    if (found != nullptr) {
        user.name = found->pw_name;
        user.home = found->pw_dir;
        return user;
    }
    // A container whose user is in no database.
    const char* name = std::getenv("USER");
    const char* home = std::getenv("HOME");
    user.name = name != nullptr ? name : std::to_string(user.uid);
    user.home = home != nullptr ? home : "/";
    return user;
}

std::string ssh_config_here(const std::string& asked_for) {
    const bool usable = asked_for == "none" || ::access(asked_for.c_str(), R_OK) == 0;
    return usable ? asked_for : std::string();
}

std::vector<ConfigSource> ssh_config_sources(const std::string& asked_for,
                                             const std::string& home) {
    const std::string folder = home + "/.ssh";
    if (asked_for == "none") return {};
    if (!asked_for.empty()) return {{asked_for, folder}};
    return {{folder + "/config", folder}, {"/etc/ssh/ssh_config", "/etc/ssh"}};
}

}  // namespace launch
