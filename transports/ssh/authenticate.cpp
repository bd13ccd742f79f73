// SPDX-License-Identifier: MIT
#include "transports/ssh/authenticate.hpp"

#include <cerrno>
#include <fstream>
#include <optional>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "core/base/list_text.hpp"
#include "transports/ssh/agent_filter.hpp"
#include "transports/ssh/login_keys.hpp"
#include "transports/ssh/secret_file.hpp"
#include "transports/ssh/step.hpp"

namespace launch {
namespace {

using Result = Authentication::Result;

/// libssh's own way for PEM files would be OpenSSL's: to ask at the terminal, or to read standard
/// input, which is the job's.
int no_passphrase(const char*, char*, size_t, int, int, void*) {
    return -1;
}

/// Keys that an agent may have and libssh cannot use.
bool is_for_openssh(const AgentKey& key) {
    return key.type().starts_with("sk-") || key.type().find("-cert-") != std::string_view::npos;
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
        errno = 0;
        const UniqueFd agent = connect_agent(config_.public_key ? config_.agent : "");
        if (!agent) note(errno);
        const Attempt::Guard guard(attempt_, agent.get());
        if (config_.public_key) keys_ = find_login_keys(config_, agent.get(), agent_patience);
        note(keys_.no_descriptors);
        if (const auto result = try_keys(agent.get())) return end(*result);
        if (no_descriptors_ != 0) return end(Result::no_descriptors);
        const bool asked = lib_.ssh_userauth_list(session_, nullptr) != 0;
        const auto ask = [&] { return lib_.ssh_userauth_none(session_, nullptr); };
        if (!asked && complete(ask) == SSH_AUTH_ERROR) return end(Result::connection_lost);
        return end(Result::denied);
    }

  private:
    template <class Step>
    int complete(Step step) {
        for (;;) {
            const int code = step();
            if (code != SSH_AUTH_AGAIN) return code;
            if (!wait_for_server(lib_, session_, attempt_)) return SSH_AUTH_ERROR;
        }
    }

    /// Nothing: go on with the next key.
    std::optional<Result> verdict(int code) {
        if (code == SSH_AUTH_SUCCESS) return Result::accepted;
        if (code == SSH_AUTH_ERROR) {
            // Also for a key that cannot sign: only a lost connection ends it all.
            if (attempt_.given_up() || lib_.ssh_is_connected(session_) == 0)
                return Result::connection_lost;
            return std::nullopt;
        }
        partial_ = partial_ || code == SSH_AUTH_PARTIAL;
        return std::nullopt;
    }

    /// A key or the agent could not be tried, for this errno.
    void note(int error) {
        if (ran_out_of_descriptors(error)) no_descriptors_ = error;
    }

    /// Nothing: none of them opened the door.
    std::optional<Result> try_keys(int agent) {
        if (const auto result = try_agent(agent)) return result;
        for (const auto& file : keys_.files) {
            if (const auto result = try_file(file)) return result;
        }
        return std::nullopt;
    }

    std::optional<Result> try_file(const std::string& file) {
        const SecretFile secret(file);  // libssh would not tell why it could not
        note(secret.error());
        if (secret.error() != 0 || secret.exposed()) return std::nullopt;
        ssh_key key = nullptr;
        const int read = lib_.ssh_pki_import_privkey_base64(secret.c_str(), nullptr, no_passphrase,
                                                            nullptr, &key);
        if (read != SSH_OK) return std::nullopt;
        const int code =
            complete([&] { return lib_.ssh_userauth_publickey(session_, nullptr, key); });
        lib_.ssh_key_free(key);
        return verdict(code);
    }

    std::optional<Result> try_agent(int agent) {
        if (keys_.of_agent.empty()) return std::nullopt;
        AgentFilter filter(agent);
        UniqueFd end = filter.take_end();
        if (!end) note(errno);
        if (!end) return std::nullopt;
        lib_.ssh_set_agent_socket(session_, end.release());  // the session's, until it goes
        for (const auto& key : keys_.of_agent) {
            if (is_for_openssh(key)) continue;
            filter.show(key);
            const int code = complete([&] { return lib_.ssh_userauth_agent(session_, nullptr); });
            if (const auto result = verdict(code)) return result;
        }
        return std::nullopt;
    }

    Authentication end(Result result) const {
        Authentication outcome{result, no_descriptors_, {}, {}};
        if (result == Result::accepted || result == Result::no_descriptors) return outcome;
        outcome.login = refused_login(keys_, config_, home_);
        if (result == Result::connection_lost) return outcome;
        outcome.login.offered = offered();
        outcome.needs_openssh = only_openssh();
        return outcome;
    }

    std::string offered() const {
        const auto methods = static_cast<unsigned>(lib_.ssh_userauth_list(session_, nullptr));
        std::string names;
        const auto add = [&](unsigned bit, const char* name) {
            if ((methods & bit) != 0) append_part(names, ",", name);
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
        for (const auto& key : keys_.of_agent) {
            if (is_for_openssh(key))
                return key.type().starts_with("sk-") ? "a key on a token" : "a certificate";
        }
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
    LoginKeys keys_;
    bool partial_ = false;
    int no_descriptors_ = 0;
};

}  // namespace

Authentication authenticate(const LibSsh& lib, ssh_session session, const HostConfig& config,
                            const std::string& home, Attempt& attempt) {
    return Authenticator(lib, session, config, home, attempt).run();
}

}  // namespace launch
