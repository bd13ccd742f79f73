// SPDX-License-Identifier: MIT
// What launch makes of ssh configs, for a comparison with `ssh -G`. Each line of standard input is
// a case: the config file, the host, its user and port (- where there is none), between tabs. For
// each it prints lines in the words of `ssh -G`, and a line with a dot.
#include <iostream>
#include <sstream>
#include <string>

#include "transports/ssh/host_config.hpp"
#include "transports/ssh/ssh_user.hpp"

namespace {

using namespace launch;

void print(const char* keyword, const std::string& value) {
    std::cout << keyword << ' ' << value << '\n';
}

const char* word(bool yes) {
    return yes ? "yes" : "no";
}

const char* word(HostConfig::Family family) {
    if (family == HostConfig::Family::any) return "any";
    return family == HostConfig::Family::ipv4 ? "inet" : "inet6";
}

const char* word(HostConfig::Trust trust) {
    if (trust == HostConfig::Trust::strict) return "strict";
    return trust == HostConfig::Trust::any ? "no" : "accept-new";
}

void print(const HostConfig& config) {
    print("needs_openssh", config.needs_openssh);
    print("hostname", config.host_name);
    print("user", config.user);
    print("port", std::to_string(config.port));
    print("hostkeyalias", config.key_alias);
    print("addressfamily", word(config.family));
    for (const auto& file : config.identity_files)
        print("identityfile", file);
    print("identitiesonly", word(config.identities_only));
    print("identityagent", config.agent);
    for (const auto& file : config.known_hosts_files)
        print("knownhostsfile", file);
    print("newkeysfile", config.new_keys_file);
    print("hashknownhosts", word(config.hash_names));
    print("stricthostkeychecking", word(config.trust));
    print("pubkeyauthentication", word(config.public_key));
    print("gssapiauthentication", word(config.gssapi));
    print("compression", word(config.compression));
    print("kexalgorithms", config.kex);
    print("ciphers", config.ciphers);
    print("macs", config.macs);
    print("requiredrsasize", std::to_string(config.rsa_min_bits));
}

}  // namespace

int main() {
    const SshUser user = current_ssh_user();
    const ConfigFiles files = real_config_files(user);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string path;
        std::string port;
        Host host;
        words >> path >> host.name >> host.user >> port;
        if (host.user == "-") host.user.clear();
        if (port != "-") host.port = static_cast<uint16_t>(std::stoi(port));
        const auto lines = read_ssh_config(ssh_config_sources(path, user.home), files);
        print(resolve_host(lines, user, host));
        std::cout << '.' << std::endl;
    }
}
