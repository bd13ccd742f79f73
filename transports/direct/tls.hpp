// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/link/direct_links.hpp"
#include "transports/direct/libssl.hpp"
#include "transports/direct/link_keys.hpp"

namespace launch {

class TlsContext;

/// The node at the other end of a connection, and what it is for.
struct TlsCall {
    NodeIndex peer = 0;
    LinkPurpose purpose = LinkPurpose::move;
    /// The caller's, as in LinkKeys::Claim.
    std::string public_key = {};
    std::vector<NodeRange> path = {};

    DirectCall direct() const { return {peer, purpose, path}; }
};

/// One TLS connection, driven from outside: who drives it reads the non-blocking socket, so that it
/// can do so when there is something; what is sent the session writes itself. Its address stays.
class TlsSession {
  public:
    /// The condition for the next try of a step; `done`: the step has been taken. `readable`: bytes
    /// of the socket, by room() and fill().
    enum class Step : uint8_t { done, readable, writable, failed };

    /// As the one who calls; without a `call`, as the one who is called. The socket stays the
    /// caller's.
    static Result<std::unique_ptr<TlsSession>> make(std::shared_ptr<const TlsContext> context,
                                                    int socket, std::optional<TlsCall> call);
    TlsSession(std::shared_ptr<const TlsContext> context, std::optional<TlsCall> call);
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;
    ~TlsSession();

    /// Where the socket's bytes go, once all before have been used.
    std::span<char> room();
    /// So many have been put there.
    void fill(size_t count);

    /// Until done: both sides have proved that they have the key.
    Step handshake();
    /// `count` bytes were read or written.
    Step read(char* bytes, size_t size, size_t& count);
    Step write(const char* bytes, size_t size, size_t& count);

    /// The peer and the purpose of the link, when the handshake is done.
    const TlsCall& call() const { return *call_; }

  private:
    friend class TlsContext;
    bool set_up(int socket);
    void forget_errors();
    Step step_of(int result);
    int take(char* bytes, size_t size);

    std::shared_ptr<const TlsContext> context_;
    std::optional<TlsCall> call_;
    LinkKeys::Proof proof_;  ///< of a caller
    std::string received_;   ///< grows where much comes at once
    std::string_view left_;  ///< of it, not used yet
    bool full_ = false;
    unsigned small_in_turn_ = 0;  ///< so often little came
    SSL* ssl_ = nullptr;
};

/// TLS 1.3 (RFC 8446) with a key that both ends have (LinkKeys) and a fresh Diffie-Hellman exchange
/// for each connection. The key's identity names the job, who calls, who is called and what for, is
/// covered by the proof of the key, and the key is made for it: a call that is led to another node,
/// or back to the caller, fails. No certificates, no tickets, no early data, so nothing can be
/// replayed.
class TlsContext : public std::enable_shared_from_this<TlsContext> {
  public:
    static Result<std::shared_ptr<const TlsContext>> make(const LinkKeys& keys);
    explicit TlsContext(const LinkKeys& keys);
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;
    ~TlsContext();

  private:
    friend class TlsSession;
    Status set_up();
    SSL_SESSION* key_session(const std::string& key) const;
    static int find_session(SSL* ssl, const unsigned char* identity, size_t size,
                            SSL_SESSION** session);
    static int take(BIO* bio, char* bytes, int size);
    static int use_session(SSL* ssl, const EVP_MD* digest, const unsigned char** identity,
                           size_t* size, SSL_SESSION** session);

    const LibSsl& lib_;
    LinkKeys keys_;
    SSL_CTX* context_ = nullptr;
    BIO_METHOD* from_room_ = nullptr;  ///< how OpenSSL reads: what room() was filled with
};

}  // namespace launch
