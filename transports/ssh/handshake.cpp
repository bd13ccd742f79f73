// SPDX-License-Identifier: MIT
#include "transports/ssh/handshake.hpp"

#include <string_view>

#include "transports/ssh/authenticate.hpp"
#include "transports/ssh/new_host_key.hpp"
#include "transports/ssh/step.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

/// Cheap first, within what is safe: the user's config and the server may say otherwise. A whole
/// connection, client and server, takes 14.9 ms with nistp256, 17.0 with curve25519, and several
/// times that with the hybrid exchange that OpenSSH prefers (and libssh 0.10 lacks).
constexpr const char* our_kex =
    "ecdh-sha2-nistp256,curve25519-sha256,curve25519-sha256@libssh.org,ecdh-sha2-nistp384,"
    "ecdh-sha2-nistp521,diffie-hellman-group14-sha256,diffie-hellman-group16-sha512,"
    "diffie-hellman-group18-sha512,diffie-hellman-group-exchange-sha256";
constexpr const char* our_ciphers =
    "aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes128-ctr,"
    "aes192-ctr,aes256-ctr";
constexpr const char* our_macs =
    "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,hmac-sha2-256,hmac-sha2-512";
constexpr const char* our_host_keys =
    "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,rsa-sha2-512,"
    "rsa-sha2-256";
constexpr const char* our_public_keys =
    "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,rsa-sha2-512,"
    "rsa-sha2-256";

class Handshake {
  public:
    Handshake(std::shared_ptr<const LibSsh> lib, const HandshakeRequest& request,
              KnownHostsFiles& known_hosts, Attempt& attempt)
        : lib_(std::move(lib)),
          request_(request),
          config_(request.config),
          known_hosts_(known_hosts),
          attempt_(attempt) {}

    HandshakeResult run(UniqueFd socket) {
        const Attempt::Guard guard(attempt_, socket.get());
        connection_.lib = lib_;
        connection_.session = SessionPtr(lib_->ssh_new(), SessionDeleter{lib_});
        const bool up = prepare() && exchange_keys(std::move(socket)) && verify_host() &&
                        authenticate_user() && start_command();
        if (!up) return std::move(result_);
        result_.connection = std::move(connection_);
        return std::move(result_);
    }

  private:
    ssh_session session() const { return connection_.session.get(); }
    bool set(ssh_options_e option, const void* value) {
        return lib_->ssh_options_set(session(), option, value) == SSH_OK;
    }
    bool fail(Error error, Retry retry = Retry::no) {
        result_.failure = {std::move(error), retry};
        return false;
    }
    bool leave_to_openssh(std::string why, Error error) {
        result_.needs_openssh = std::move(why);
        return fail(std::move(error));
    }

    bool prepare();
    bool set_algorithms();
    bool exchange_keys(UniqueFd socket);
    bool verify_host();
    bool judge(const std::string& type, const std::string& key, const std::string& fingerprint);
    bool authenticate_user();
    bool start_command();
    template <class Step>
    bool complete(Step step);
    void enter(const char* stage) { attempt_.enter(stage); }
    std::string last_words() const { return lib_->ssh_get_error(session()); }
    bool said(const char* words) const { return last_words().find(words) != std::string::npos; }
    bool connection_failed(const char* stage);
    std::string fingerprint(ssh_key key) const;

    std::shared_ptr<const LibSsh> lib_;
    const HandshakeRequest& request_;
    const HostConfig& config_;
    KnownHostsFiles& known_hosts_;
    Attempt& attempt_;
    HostKeys known_;
    SshConnection connection_;
    HandshakeResult result_;
};

bool Handshake::prepare() {
    enter(start_error::key_exchange);
    if (!connection_.session) return fail(start_error::make("start", "out of memory"));
    const bool no = false;
    const int on = 1;
    // A little longer than the attempt, which is ended from outside: libssh's own clock is only
    // to keep it from waiting 10 s where the caller wants more.
    const long seconds = std::chrono::ceil<std::chrono::seconds>(request_.timeout).count() + 1;
    // The config is read, the name resolved and known_hosts searched by us: libssh gets a name
    // that only fills a place, and files that are empty.
    const bool ready = set(SSH_OPTIONS_HOST, "host") && set(SSH_OPTIONS_PROCESS_CONFIG, &no) &&
                       set(SSH_OPTIONS_SSH_DIR, "/dev/null") &&
                       set(SSH_OPTIONS_KNOWNHOSTS, "/dev/null") &&
                       set(SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null") &&
                       set(SSH_OPTIONS_USER, config_.user.c_str()) &&
                       set(SSH_OPTIONS_TIMEOUT, &seconds) && set(SSH_OPTIONS_NODELAY, &on);
    if (!ready) return fail(start_error::make("start", lib_->ssh_get_error(session())));
    known_ = known_hosts_.find(config_);
    return set_algorithms();
}

bool Handshake::set_algorithms() {
    const auto choose = [&](ssh_options_e option, const char* ours, const std::string& users) {
        return set(option, combine_algorithms(ours, users).c_str());
    };
    const auto refuse = [&](const char* word) {
        return leave_to_openssh(word, start_error::make(start_error::key_exchange,
                                                        std::string("no algorithm in ") + word +
                                                            " of the ssh config is supported"));
    };
    const auto host_keys = config_.host_key_algorithms.empty()
                               ? order_host_key_algorithms(known_.keys, our_host_keys)
                               : combine_algorithms(our_host_keys, config_.host_key_algorithms);
    const char* compression = config_.compression ? "yes" : "no";
    if (!choose(SSH_OPTIONS_KEY_EXCHANGE, our_kex, config_.kex)) return refuse("KexAlgorithms");
    if (!choose(SSH_OPTIONS_CIPHERS_C_S, our_ciphers, config_.ciphers) ||
        !choose(SSH_OPTIONS_CIPHERS_S_C, our_ciphers, config_.ciphers))
        return refuse("Ciphers");
    if (!choose(SSH_OPTIONS_HMAC_C_S, our_macs, config_.macs) ||
        !choose(SSH_OPTIONS_HMAC_S_C, our_macs, config_.macs))
        return refuse("MACs");
    if (!set(SSH_OPTIONS_HOSTKEYS, host_keys.c_str())) return refuse("HostKeyAlgorithms");
    if (!choose(SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES, our_public_keys,
                config_.public_key_algorithms))
        return refuse("PubkeyAcceptedAlgorithms");
    if (config_.rsa_min_bits > 0 && !set(SSH_OPTIONS_RSA_MIN_SIZE, &config_.rsa_min_bits))
        return refuse("RequiredRSASize");
    if (!set(SSH_OPTIONS_COMPRESSION, compression)) return refuse("Compression");
    return true;
}

bool Handshake::exchange_keys(UniqueFd socket) {
    connection_.fd = socket.release();
    if (!set(SSH_OPTIONS_FD, &connection_.fd))
        return fail(start_error::make("start", lib_->ssh_get_error(session())));
    const int connected = lib_->ssh_connect(session());
    if (connected == SSH_OK) return true;
    return connection_failed(start_error::key_exchange);
}

/// From libssh's words. A connection that ends here is what an overloaded sshd leaves.
bool Handshake::connection_failed(const char* stage) {
    const bool early = std::string_view(stage) == start_error::key_exchange;
    if (said("no match for method"))
        return leave_to_openssh("the algorithms of the server",
                                start_error::make(stage, last_words()));
    const bool closed = said("disconnected") || said("reset by peer") || said("Broken pipe") ||
                        said("MaxStartups") || said("Socket error");
    if (closed) return fail(start_error::dropped(stage), early ? Retry::dropped : Retry::no);
    return fail(start_error::make(stage, last_words(), "is an ssh server listening there?"));
}

std::string Handshake::fingerprint(ssh_key key) const {
    unsigned char* hash = nullptr;
    size_t size = 0;
    if (lib_->ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &size) != 0) return {};
    char* text = lib_->ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, size);
    std::string result = text != nullptr ? text : "";
    lib_->ssh_string_free_char(text);
    lib_->ssh_clean_pubkey_hash(&hash);
    return result;
}

bool Handshake::verify_host() {
    enter(start_error::verify);
    ssh_key key = nullptr;
    char* text = nullptr;
    if (lib_->ssh_get_server_publickey(session(), &key) != SSH_OK ||
        lib_->ssh_pki_export_pubkey_base64(key, &text) != SSH_OK) {
        lib_->ssh_key_free(key);
        return fail(start_error::make(start_error::verify, "the server sent no host key"));
    }
    const bool good =
        judge(lib_->ssh_key_type_to_char(lib_->ssh_key_type(key)), text, fingerprint(key));
    lib_->ssh_string_free_char(text);
    lib_->ssh_key_free(key);
    return good;
}

bool Handshake::judge(const std::string& type, const std::string& key,
                      const std::string& fingerprint) {
    using Trust = HostConfig::Trust;
    const KeyJudgement judgement = judge_key(known_.keys, type, key);
    // It may show OpenSSH a certificate instead.
    if (judgement.authority && judgement.verdict != KeyVerdict::known)
        return leave_to_openssh("@cert-authority", start_error::unknown_key(config_.port));
    switch (judgement.verdict) {
        case KeyVerdict::known: return true;
        case KeyVerdict::revoked: return fail(start_error::revoked_key());
        case KeyVerdict::changed:
            if (config_.trust == Trust::any) {
                result_.note = "its host key changed; accepted (StrictHostKeyChecking no)";
                return true;
            }
            return fail(start_error::changed_key(config_.host_name, config_.port, fingerprint,
                                                 judgement.known_at));
        default: break;
    }
    const bool strict = !request_.accept_new_keys;
    // Who knows whether it has changed, then?
    if (config_.trust != Trust::any && !known_.unread.empty())
        return fail(
            start_error::make(start_error::verify, "cannot read " + known_.unread,
                              "the host key may be in that file: make it readable, or remove "
                              "it from UserKnownHostsFile and GlobalKnownHostsFile"));
    if (strict) return fail(start_error::unknown_key(config_.port));
    result_.note = "accepted its unknown host key " + fingerprint;
    const auto why_not = record_host_key(config_, request_.home, new_host_key(config_, type, key));
    if (!why_not.empty()) result_.note += ", but could not record it: " + why_not;
    return true;
}

bool Handshake::authenticate_user() {
    enter(start_error::authenticate);
    lib_->ssh_set_blocking(session(), 0);  // from here on
    auto outcome = authenticate(*lib_, session(), config_, request_.home, attempt_);
    switch (outcome.result) {
        case Authentication::Result::accepted: return true;
        case Authentication::Result::connection_lost:
            if (said("Too many authentication failures"))
                return fail(start_error::too_many_keys(outcome.login));
            return connection_failed(start_error::authenticate);
        case Authentication::Result::no_descriptors:
            return fail(start_error::of_errno(start_error::authenticate, outcome.no_descriptors));
        default: break;
    }
    Error error = start_error::denied(outcome.login);
    if (!outcome.needs_openssh.empty())
        return leave_to_openssh(std::move(outcome.needs_openssh), std::move(error));
    return fail(std::move(error));
}

/// Repeats a non-blocking step of libssh until it is done.
template <class Step>
bool Handshake::complete(Step step) {
    for (;;) {
        const int code = step();
        if (code != SSH_AGAIN) return code == SSH_OK;
        if (!wait_for_server(*lib_, session(), attempt_)) return false;
    }
}

bool Handshake::start_command() {
    attempt_.authenticated();
    enter(start_error::channel);
    connection_.channel = lib_->ssh_channel_new(session());
    const auto open = [&] { return lib_->ssh_channel_open_session(connection_.channel); };
    if (connection_.channel == nullptr || !complete(open))
        return connection_failed(start_error::channel);
    enter(start_error::execute);
    const auto execute = [&] {
        return lib_->ssh_channel_request_exec(connection_.channel, request_.command.c_str());
    };
    if (!complete(execute)) return connection_failed(start_error::execute);
    return true;
}

}  // namespace

HandshakeResult shake_hands(std::shared_ptr<const LibSsh> lib, const HandshakeRequest& request,
                            UniqueFd socket, KnownHostsFiles& known_hosts, Attempt& attempt) {
    return Handshake(std::move(lib), request, known_hosts, attempt).run(std::move(socket));
}

}  // namespace launch
