// SPDX-License-Identifier: MIT
#include "transports/ssh/host_config.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>

#include "core/base/list_text.hpp"
#include "core/base/lower.hpp"
#include "core/base/number_text.hpp"
#include "transports/ssh/expansion.hpp"
#include "transports/ssh/match.hpp"
#include "transports/ssh/match_line.hpp"

namespace launch {
namespace {

struct Limit {
    const char* keyword;
    const char* name;
    const char* harmless;  ///< the value that asks for nothing
};

/// Settings that libssh, as we use it, cannot follow. Keywords that change nothing for a command
/// without a terminal (SendEnv, forwardings, ControlMaster, ...) are not here: they are ignored.
constexpr Limit limits[] = {
    {"proxyjump", "ProxyJump", "none"},
    {"proxycommand", "ProxyCommand", "none"},
    {"certificatefile", "CertificateFile", "none"},
    {"hostbasedauthentication", "HostbasedAuthentication", "no"},
    {"canonicalizehostname", "CanonicalizeHostname", "no"},
    {"knownhostscommand", "KnownHostsCommand", "none"},
    {"pkcs11provider", "PKCS11Provider", "none"},
    {"smartcarddevice", "SmartcardDevice", ""},
    {"securitykeyprovider", "SecurityKeyProvider", "internal"},
    {"revokedhostkeys", "RevokedHostKeys", "none"},
    {"verifyhostkeydns", "VerifyHostKeyDNS", "no"},
    {"checkhostip", "CheckHostIP", "no"},
    {"nohostauthenticationforlocalhost", "NoHostAuthenticationForLocalhost", "no"},
    {"bindaddress", "BindAddress", ""},
    {"bindinterface", "BindInterface", ""},
    {"gssapikeyexchange", "GSSAPIKeyExchange", "no"},
};

/// Walks the config for one host.
class Resolver {
  public:
    Resolver(const SshUser& user, const Host& host) : user_(user), host_(host) {
        if (!host.user.empty()) values_["user"] = {host.user};
        if (host.port != 0) values_["port"] = {std::to_string(host.port)};
    }

    void read(const std::vector<ConfigLine>& config) {
        walk(config, true);
        if (!asks_for_final_pass(config)) return;
        final_name_ = lower(dialled_name());
        walk(config, true);
    }

    HostConfig finish();

  private:
    /// `alive`: false below an Include in a part that does not apply.
    void walk(const std::vector<ConfigLine>& lines, bool alive) {
        bool active = alive;
        for (const auto& line : lines) {
            if (line.keyword == "host") {
                active = alive && names_host(line.words);
            } else if (line.keyword == "match") {
                active = alive && matches(line.words);
            } else if (line.keyword == "include") {
                if (!fault_ && !line.faults.empty()) fault_ = line.faults.front();
                if (active && line.unread) need_openssh("Include");  // which says what is wrong
                walk(line.included, active);
            } else if (active) {
                take(line);
            }
        }
    }

    void take(const ConfigLine& line) {
        if (line.words.empty()) return;
        if (line.keyword == "identityfile") {
            const auto& file = line.words.front();
            if (std::find(identities_.begin(), identities_.end(), file) == identities_.end())
                identities_.push_back(file);
        } else if (!ruled_out(line.keyword)) {
            values_.try_emplace(line.keyword, line.words);
        }
    }

    /// By the other way through a proxy, which came first. ("ProxyJump none" is no way.)
    bool ruled_out(const std::string& keyword) const {
        if (keyword == "proxyjump") return values_.contains("proxycommand");
        const std::string jump = lower(value("proxyjump"));
        return keyword == "proxycommand" && !jump.empty() && jump != "none";
    }

    bool names_host(const std::vector<std::string>& patterns) const {
        const std::string& name = final_name_ ? *final_name_ : host_.name;
        bool named = false;
        for (std::string_view pattern : patterns) {
            const bool negated = pattern.starts_with('!');
            if (negated) pattern.remove_prefix(1);
            if (!matches_pattern(name, pattern)) continue;
            if (negated) return false;
            named = true;
        }
        return named;
    }

    bool matches(const std::vector<std::string>& words);
    std::optional<bool> holds(const Criterion& criterion) const;
    std::string value(const std::string& keyword) const {
        const auto at = values_.find(keyword);
        return at == values_.end() ? std::string() : at->second.front();
    }
    bool is_yes(const std::string& keyword, bool otherwise) const {
        const std::string text = lower(value(keyword));
        return text.empty() ? otherwise : text == "yes" || text == "true" || text == "always";
    }
    std::string proxy(const char* keyword) const {
        const std::string way = value(keyword);
        return lower(way) == "none" ? "" : way;
    }
    std::string dialled_name() const;
    std::string user_name() const {
        const std::string name = value("user");
        return name.empty() ? user_.name : name;
    }
    std::string port_text() const {
        const std::string port = value("port");
        return port.empty() ? "22" : port;
    }
    void need_openssh(std::string why) {
        if (needs_openssh_.empty()) needs_openssh_ = std::move(why);
    }
    std::string expand(const std::string& text, const char* keyword);
    std::vector<std::string> user_known_hosts();
    std::vector<std::string> global_known_hosts();
    std::vector<std::string> known_hosts_files(const char* keyword,
                                               std::vector<std::string> otherwise);
    std::vector<std::string> identity_files();
    std::string agent();
    void check_limits();

    const SshUser& user_;
    const Host& host_;
    std::map<std::string, std::vector<std::string>> values_;
    std::vector<std::string> identities_;
    /// In the second pass: the name that the first has found, which patterns see from then on.
    std::optional<std::string> final_name_;
    std::optional<Error> fault_;
    std::string needs_openssh_;
    bool undecided_ = false;
};

/// As OpenSSH: from left to right, and what follows a criterion that failed is not looked at.
bool Resolver::matches(const std::vector<std::string>& words) {
    const auto criteria = split_match_line(words);
    for (const auto& criterion : criteria) {
        const auto met = holds(criterion);
        if (!met) {
            need_openssh("Match " + criterion.name);
            undecided_ = true;
            return false;
        }
        if (*met == criterion.negated) return false;
    }
    return !criteria.empty();
}

/// Nothing: only ssh knows, or the line is wrong, which ssh says.
std::optional<bool> Resolver::holds(const Criterion& criterion) const {
    const auto& [name, negated, argument] = criterion;
    if (name == "all") return true;
    // No name is made canonical here, which CanonicalizeHostname asks OpenSSH for; but the two are
    // one to it.
    if (name == "final" || name == "canonical") return final_name_.has_value();
    if (!argument) return std::nullopt;
    // Unlike Host, and unlike names of users, they do not mind capitals.
    if (name == "host") return matches_pattern_list(lower(dialled_name()), lower(*argument));
    if (name == "originalhost") return matches_pattern_list(lower(host_.name), lower(*argument));
    if (name == "user") return matches_pattern_list(user_name(), *argument);
    if (name == "localuser") return matches_pattern_list(user_.name, *argument);
    if (name == "sessiontype") return matches_pattern_list("exec", *argument);
    if (name != "tagged") return std::nullopt;
    const std::string tag = value("tag");
    return tag.empty() ? argument->empty() : matches_pattern_list(tag, *argument);
}

std::string Resolver::dialled_name() const {
    if (final_name_) return *final_name_;
    const std::string given = value("hostname");
    if (given.empty()) return host_.name;
    std::string name;
    for (size_t i = 0; i < given.size(); ++i) {
        if (given[i] != '%' || i + 1 == given.size()) {
            name += given[i];
        } else {
            ++i;
            name += given[i] == 'h' ? host_.name : std::string(1, given[i]);
        }
    }
    return name;
}

/// The tokens, variables and `~` in a file's name.
std::string Resolver::expand(const std::string& text, const char* keyword) {
    const auto meaning = [&](char token) -> std::optional<std::string> {
        switch (token) {
            case 'd': return user_.home;
            case 'h': return lower(dialled_name());
            case 'n': return host_.name;
            case 'p': return port_text();
            case 'r': return user_name();
            case 'u': return user_.name;
            case 'i': return std::to_string(user_.uid);
            default: return std::nullopt;
        }
    };
    const auto from_home = expand_tilde(text, user_);
    auto path = from_home ? expand_text(*from_home, user_, meaning) : std::nullopt;
    if (path) return *std::move(path);
    need_openssh(keyword);
    return text;
}

std::vector<std::string> Resolver::known_hosts_files(const char* keyword,
                                                     std::vector<std::string> otherwise) {
    const auto at = values_.find(keyword);
    if (at == values_.end()) return otherwise;
    std::vector<std::string> files;
    for (const auto& word : at->second) {
        if (lower(word) != "none") files.push_back(expand(word, keyword));
    }
    return files;
}

std::vector<std::string> Resolver::user_known_hosts() {
    const std::string ssh = user_.home + "/.ssh/";
    return known_hosts_files("userknownhostsfile", {ssh + "known_hosts", ssh + "known_hosts2"});
}

std::vector<std::string> Resolver::global_known_hosts() {
    return known_hosts_files("globalknownhostsfile",
                             {"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"});
}

std::vector<std::string> Resolver::identity_files() {
    std::vector<std::string> files;
    if (identities_.empty()) {
        // The cheap ones first.
        for (const char* name : {"id_ed25519", "id_ecdsa", "id_rsa"})
            files.push_back(user_.home + "/.ssh/" + name);
        return files;
    }
    for (const auto& file : identities_) {
        if (lower(file) == "none") continue;
        if (file.starts_with("pkcs11:")) need_openssh("IdentityFile pkcs11:");
        files.push_back(expand(file, "IdentityFile"));
    }
    return files;
}

std::string Resolver::agent() {
    const std::string given = value("identityagent");
    if (given.empty() || given == "SSH_AUTH_SOCK") return user_.agent;
    if (given == "none") return {};
    // Before ${NAME} there was $NAME, which may have no value.
    if (given.starts_with('$') && !given.starts_with("${"))
        return user_.variable ? user_.variable(given.substr(1)).value_or("") : "";
    return expand(given, "IdentityAgent");
}

void Resolver::check_limits() {
    for (const auto& limit : limits) {
        std::string text = lower(value(limit.keyword));
        if (text == "false") text = "no";
        if (!text.empty() && text != limit.harmless) need_openssh(limit.name);
    }
    const std::string order = value("preferredauthentications");
    if (!order.empty() && !matches_pattern_list("publickey", order))
        need_openssh("PreferredAuthentications");
}

HostConfig::Trust trust_of(const std::string& word) {
    if (word == "accept-new") return HostConfig::Trust::unknown;
    if (word == "no" || word == "off" || word == "false") return HostConfig::Trust::any;
    return HostConfig::Trust::strict;
}

HostConfig::Family family_of(const std::string& word) {
    if (word == "inet") return HostConfig::Family::ipv4;
    if (word == "inet6") return HostConfig::Family::ipv6;
    return HostConfig::Family::any;
}

HostConfig Resolver::finish() {
    HostConfig config;
    config.host_name = lower(dialled_name());
    config.key_alias = lower(value("hostkeyalias"));
    config.user = user_name();
    const auto port = parse_number<int>(port_text());
    if (port && *port > 0 && *port <= UINT16_MAX) config.port = static_cast<uint16_t>(*port);
    config.family = family_of(lower(value("addressfamily")));
    config.identity_files = identity_files();
    config.identities_only = is_yes("identitiesonly", false);
    config.agent = agent();
    config.known_hosts_files = user_known_hosts();
    if (!config.known_hosts_files.empty()) config.new_keys_file = config.known_hosts_files.front();
    const auto global = global_known_hosts();
    config.known_hosts_files.insert(config.known_hosts_files.end(), global.begin(), global.end());
    config.hash_names = is_yes("hashknownhosts", false);
    config.trust = trust_of(lower(value("stricthostkeychecking")));
    config.public_key = is_yes("pubkeyauthentication", true);
    config.gssapi = is_yes("gssapiauthentication", false);
    config.compression = is_yes("compression", false);
    config.kex = value("kexalgorithms");
    config.ciphers = value("ciphers");
    config.macs = value("macs");
    config.host_key_algorithms = value("hostkeyalgorithms");
    config.public_key_algorithms = value("pubkeyacceptedalgorithms");
    if (config.public_key_algorithms.empty())
        config.public_key_algorithms = value("pubkeyacceptedkeytypes");
    config.proxy_jump = proxy("proxyjump");
    config.proxy_command = proxy("proxycommand");
    config.rsa_min_bits = parse_number<int>(value("requiredrsasize")).value_or(0);
    check_limits();
    config.needs_openssh = needs_openssh_;
    config.undecided = undecided_;
    config.fault = std::move(fault_);
    return config;
}

void append_new(std::string& list, std::string_view names) {
    for_each_part(names, ',', [&](std::string_view name) {
        bool there = name.empty();
        for_each_part(list, ',', [&](std::string_view other) { there = there || other == name; });
        if (!there) append_part(list, ",", name);
    });
}

}  // namespace

HostConfig resolve_host(const std::vector<ConfigLine>& config, const SshUser& user,
                        const Host& host) {
    Resolver resolver(user, host);
    resolver.read(config);
    return resolver.finish();
}

std::string combine_algorithms(std::string_view ours, std::string_view users) {
    if (users.empty()) return std::string(ours);
    const std::string_view names = users.substr(1);
    std::string list;
    switch (users.front()) {
        case '+':
            append_new(list, ours);
            append_new(list, names);
            return list;
        case '^':
            append_new(list, names);
            append_new(list, ours);
            return list;
        case '-':
            for_each_part(ours, ',', [&](std::string_view name) {
                if (!matches_pattern_list(name, names)) append_new(list, name);
            });
            return list;
        default: return std::string(users);
    }
}

}  // namespace launch
