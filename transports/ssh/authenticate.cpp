#include "transports/ssh/authenticate.hpp"

#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

using Result = Authentication::Result;

/// Not left to libssh: it would wait for a hanging agent without end, and where it may not.
UniqueFd connect_agent(const std::string& path) {
    sockaddr_un address{};
    if (path.empty() || path.size() >= sizeof address.sun_path) return {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) return {};
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return {};
    return fd;
}

bool exists(const std::string& path) {
    return ::access(path.c_str(), R_OK) == 0;
}

bool is_security_key(const std::string& identity) {
    std::ifstream file(identity + ".pub");
    std::string type;
    return file >> type && type.starts_with("sk-");
}

class Authenticator {
  public:
    Authenticator(const LibSsh& lib, ssh_session session, const HostConfig& config,
                  const std::string& home, Attempt& attempt)
        : lib_(lib), session_(session), config_(config), home_(home), attempt_(attempt) {}

    Authentication run() {
        if (config_.public_key) {
            for (const auto& file : config_.identity_files) {
                if (const auto result = try_file(file)) return {*result, {}, {}};
            }
            if (const auto result = try_agent()) return {*result, {}, {}};
        }
        if (!asked_ && lib_.ssh_userauth_none(session_, nullptr) == SSH_AUTH_ERROR)
            return {Result::connection_lost, {}, {}};
        return {Result::denied, offered(), only_openssh()};
    }

  private:
    /// Nothing: go on with the next key.
    std::optional<Result> verdict(int code) {
        if (code == SSH_AUTH_SUCCESS) return Result::accepted;
        if (code == SSH_AUTH_ERROR) {
            // Also for a key that cannot sign: only a lost connection ends it all.
            if (lib_.ssh_is_connected(session_) == 0) return Result::connection_lost;
            return std::nullopt;
        }
        asked_ = true;
        partial_ = partial_ || code == SSH_AUTH_PARTIAL;
        return std::nullopt;
    }

    std::optional<Result> try_file(const std::string& file) {
        ssh_key key = nullptr;
        if (lib_.ssh_pki_import_privkey_file(file.c_str(), nullptr, nullptr, nullptr, &key) !=
            SSH_OK)
            return std::nullopt;
        const int code = lib_.ssh_userauth_publickey(session_, nullptr, key);
        lib_.ssh_key_free(key);
        return verdict(code);
    }

    std::optional<Result> try_agent() {
        if (config_.identities_only) return std::nullopt;
        UniqueFd agent = connect_agent(config_.agent);
        if (!agent) return std::nullopt;
        const Attempt::Guard guard(attempt_, agent.get());
        lib_.ssh_set_agent_socket(session_, agent.release());  // the session's, until it goes
        const int code = lib_.ssh_userauth_agent(session_, nullptr);
        // The session keeps the socket: let at least the agent forget us.
        guard.shut_down();
        return verdict(code);
    }

    std::string offered() const {
        const auto methods = static_cast<unsigned>(lib_.ssh_userauth_list(session_, nullptr));
        std::string names;
        const auto add = [&](unsigned bit, const char* name) {
            if ((methods & bit) == 0) return;
            if (!names.empty()) names += ',';
            names += name;
        };
        add(SSH_AUTH_METHOD_PUBLICKEY, "publickey");
        add(SSH_AUTH_METHOD_GSSAPI_MIC, "gssapi-with-mic");
        add(SSH_AUTH_METHOD_PASSWORD, "password");
        add(SSH_AUTH_METHOD_INTERACTIVE, "keyboard-interactive");
        add(SSH_AUTH_METHOD_HOSTBASED, "hostbased");
        return names;
    }

    std::string only_openssh() const {
        if (!config_.public_key) return "PubkeyAuthentication no";
        if (config_.identities_only && !config_.agent.empty())
            return "IdentitiesOnly with an agent";
        for (const auto& file : config_.identity_files) {
            if (exists(file + "-cert.pub")) return "a certificate";
            if (is_security_key(file)) return "a key on a token";
        }
        for (const char* name : {"id_ed25519_sk", "id_ecdsa_sk"}) {
            if (exists(home_ + "/.ssh/" + name)) return "a key on a token";
        }
        const auto methods = static_cast<unsigned>(lib_.ssh_userauth_list(session_, nullptr));
        if (config_.gssapi && (methods & SSH_AUTH_METHOD_GSSAPI_MIC) != 0) return "GSSAPI";
        if (partial_) return "more than one method";
        return {};
    }

    const LibSsh& lib_;
    ssh_session session_;
    const HostConfig& config_;
    const std::string& home_;
    Attempt& attempt_;
    bool asked_ = false;  ///< the server said once what it takes
    bool partial_ = false;
};

}  // namespace

Authentication authenticate(const LibSsh& lib, ssh_session session, const HostConfig& config,
                            const std::string& home, Attempt& attempt) {
    return Authenticator(lib, session, config, home, attempt).run();
}

}  // namespace launch
