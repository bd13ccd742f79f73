#include "transports/ssh/host_config.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>

#include "core/base/list_text.hpp"
#include "core/base/lower.hpp"
#include "core/base/number_text.hpp"
#include "transports/ssh/match.hpp"

namespace launch {
namespace {

struct Limit {
    const char* keyword;
    const char* name;
    const char* harmless;  ///< the value that asks for nothing
};

/// What libssh, as we drive it, does not do. Keywords that change nothing for a command without
/// a terminal (SendEnv, forwardings, ControlMaster, ...) are not here: they are ignored.
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

    /// `alive`: false below an Include in a part that does not apply.
    void walk(const std::vector<ConfigLine>& lines, bool alive) {
        bool active = alive;
        for (const auto& line : lines) {
            if (line.keyword == "host") {
                active = alive && names_host(line.words);
            } else if (line.keyword == "match") {
                active = alive && matches(line.words);
            } else if (line.keyword == "include") {
                if (active && line.endless) need_openssh("Include");  // which says what is wrong
                walk(line.included, active);
            } else if (active) {
                take(line);
            }
        }
    }

    HostConfig finish();

  private:
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
        bool named = false;
        for (std::string_view pattern : patterns) {
            const bool negated = pattern.starts_with('!');
            if (negated) pattern.remove_prefix(1);
            if (!matches_pattern(host_.name, pattern)) continue;
            if (negated) return false;
            named = true;
        }
        return named;
    }

    bool matches(const std::vector<std::string>& criteria);
    std::string value(const std::string& keyword) const {
        const auto at = values_.find(keyword);
        return at == values_.end() ? std::string() : at->second.front();
    }
    bool is_yes(const std::string& keyword, bool otherwise) const {
        const std::string text = lower(value(keyword));
        return text.empty() ? otherwise : text == "yes" || text == "true" || text == "always";
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
    std::string needs_openssh_;
    bool undecided_ = false;
};

/// As OpenSSH: from left to right, and what follows a criterion that failed is not looked at.
bool Resolver::matches(const std::vector<std::string>& criteria) {
    for (size_t i = 0; i < criteria.size(); ++i) {
        std::string what = lower(criteria[i]);
        const bool negated = what.starts_with('!');
        if (negated) what.erase(0, 1);
        bool met = false;
        if (what == "all") {
            met = true;
        } else if (what == "canonical") {
            met = false;  // no name was made canonical: CanonicalizeHostname needs OpenSSH
        } else if (i + 1 < criteria.size() && (what == "host" || what == "originalhost" ||
                                               what == "user" || what == "localuser")) {
            const std::string& patterns = criteria[++i];
            const std::string subject = what == "host"           ? dialled_name()
                                        : what == "originalhost" ? host_.name
                                        : what == "user"         ? user_name()
                                                                 : user_.name;
            // Unlike Host, and unlike names of users, they do not mind capitals.
            const bool any_case = what.ends_with("host");
            met = any_case ? matches_pattern_list(lower(subject), lower(patterns))
                           : matches_pattern_list(subject, patterns);
        } else {
            need_openssh("Match " + what);
            undecided_ = true;
            return false;
        }
        if (met == negated) return false;
    }
    return !criteria.empty();
}

std::string Resolver::dialled_name() const {
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

/// The tokens and `~` in a file's name.
std::string Resolver::expand(const std::string& text, const char* keyword) {
    std::string path;
    size_t i = 0;
    if (text.starts_with("~/")) {
        path = user_.home;
        i = 1;
    } else if (text.starts_with('~') || text.find("${") != std::string::npos) {
        need_openssh(keyword);
        return text;
    }
    for (; i < text.size(); ++i) {
        if (text[i] != '%' || i + 1 == text.size()) {
            path += text[i];
            continue;
        }
        switch (text[++i]) {
            case '%': path += '%'; break;
            case 'd': path += user_.home; break;
            case 'h': path += lower(dialled_name()); break;
            case 'n': path += host_.name; break;
            case 'p': path += port_text(); break;
            case 'r': path += user_name(); break;
            case 'u': path += user_.name; break;
            case 'i': path += std::to_string(user_.uid); break;
            default: need_openssh(keyword);
        }
    }
    return path;
}

std::vector<std::string> Resolver::known_hosts_files(const char* keyword,
                                                     std::vector<std::string> otherwise) {
    const auto at = values_.find(keyword);
    if (at == values_.end()) return otherwise;
    std::vector<std::string> files;
    for (const auto& word : at->second) {
        if (word != "none") files.push_back(expand(word, keyword));
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
        if (file == "none") continue;
        if (file.starts_with("pkcs11:")) need_openssh("IdentityFile pkcs11:");
        files.push_back(expand(file, "IdentityFile"));
    }
    return files;
}

std::string Resolver::agent() {
    const std::string given = value("identityagent");
    if (given.empty() || given == "SSH_AUTH_SOCK") return user_.agent;
    if (given == "none") return {};
    if (given.starts_with('$')) {
        need_openssh("IdentityAgent");
        return {};
    }
    return expand(given, "IdentityAgent");
}

void Resolver::check_limits() {
    for (const auto& limit : limits) {
        const std::string text = lower(value(limit.keyword));
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
    config.rsa_min_bits = parse_number<int>(value("requiredrsasize")).value_or(0);
    check_limits();
    config.needs_openssh = needs_openssh_;
    config.undecided = undecided_;
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
    resolver.walk(config, true);
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
