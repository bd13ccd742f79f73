// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// One line of a known_hosts file that speaks of a host.
struct KnownKey {
    enum class Marker : unsigned char { none, authority, revoked };

    Marker marker = Marker::none;
    std::string_view type;  ///< "ssh-ed25519"
    std::string_view key;   ///< in base64
    const std::string* file = nullptr;
    size_t line = 0;
    /// It speaks of the host at another port: it can vouch for a key, not call it changed.
    bool other_port = false;
};

/// A known_hosts file (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT), read and indexed once: libssh reads
/// the file twice for each connection, which with a thousand lines costs more than the rest of
/// the connection. Plain names are found by binary search; hashed names and patterns are tried
/// line by line. Pure; never changes once made, so threads may share it.
class KnownHosts {
  public:
    /// `path` only names the file in messages.
    KnownHosts(std::string path, std::string text);
    KnownHosts(const KnownHosts&) = delete;
    KnownHosts& operator=(const KnownHosts&) = delete;

    /// The lines that speak of `name`, in lower case and as the file writes it: NAME, or
    /// [NAME]:PORT where the port is not 22. The result points into this object.
    void find(std::string_view name, std::vector<KnownKey>& found) const;

  private:
    struct Entry {
        KnownKey key;
        std::string_view names;
    };
    /// Small, as every relay holds them for all hosts of the site.
    struct Line {
        uint32_t begin;
        uint32_t number;
    };
    struct Name {
        uint32_t begin;
        uint32_t size;
        uint32_t line;  ///< of lines_
    };
    /// "|1|SALT|HASH", decoded.
    struct Hashed {
        std::string salt;
        std::array<uint8_t, 20> hash;
        uint32_t line;
    };
    std::optional<Entry> parse(Line line) const;
    void add_line(Line line);
    void index_names(std::string_view names);
    void index_hashed(std::string_view names);
    std::string_view text_of(const Name& name) const {
        return std::string_view(text_).substr(name.begin, name.size);
    }
    uint32_t place_of(std::string_view part) const {
        return static_cast<uint32_t>(part.data() - text_.data());
    }

    std::string path_;
    std::string text_;
    std::vector<Line> lines_;
    std::vector<Name> names_;  ///< sorted
    std::vector<Hashed> hashed_;
    std::vector<uint32_t> patterns_;  ///< lines with `*`, `?` or `!`
};

/// The name under which known_hosts files speak of a host.
std::string known_hosts_name(std::string_view host_name, unsigned port);

/// The names' field of a line: the name as it is, or hidden behind the salt ("|1|SALT|HASH").
std::string known_hosts_field(std::string_view name, std::string_view salt);

/// The verdict of known_hosts on the key that a server showed.
enum class KeyVerdict : unsigned char { known, unknown, changed, revoked };

struct KeyJudgement {
    KeyVerdict verdict = KeyVerdict::unknown;
    std::string known_at;    ///< for changed: "FILE:LINE" of a key that was expected
    bool authority = false;  ///< a certificate authority is named for this host
};

/// As OpenSSH judges: a key that is not among those of its name has changed, of whatever type.
KeyJudgement judge_key(const std::vector<KnownKey>& known, std::string_view type,
                       std::string_view key);

/// The signature algorithms by preference, those of keys that are known for the host first, so
/// that the server shows a key that can be verified.
std::string order_host_key_algorithms(const std::vector<KnownKey>& known, std::string_view ours);

}  // namespace launch
