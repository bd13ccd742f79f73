// SPDX-License-Identifier: MIT
#include "transports/direct/tls.hpp"

#include <algorithm>
#include <array>
#include <climits>

#include "transports/direct/libcrypto.hpp"

namespace launch {
namespace {

/// A fence's messages fit into the first; a record and what is around it into the last.
constexpr size_t small_room = 1u << 10;
constexpr size_t large_room = SSL3_RT_MAX_PLAIN_LENGTH + 1024;
constexpr unsigned shrink_after = 32;

constexpr int session_slot = 0;  ///< of SSL_set_ex_data; the first is the application's
constexpr std::array<unsigned char, 2> cipher_number{0x13, 0x01};
constexpr const char* cipher_name = "TLS_AES_128_GCM_SHA256";

Error tls_error(std::string cause) {
    return Error{ErrorKind::internal, "prepare direct links", {}, -1, std::move(cause), {}};
}

int clamp_size(size_t size) {
    return static_cast<int>(std::min<size_t>(size, INT_MAX));
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const LinkKeys& keys) {
    const LibSsl& lib = LibSsl::get();
    if (!lib.why_not.empty()) return tls_error(lib.why_not);
    auto context = std::make_shared<TlsContext>(keys);
    Status ready = context->set_up();
    if (!ready) return std::move(ready.error());
    return std::shared_ptr<const TlsContext>(std::move(context));
}

TlsContext::TlsContext(const LinkKeys& keys) : lib_(LibSsl::get()), keys_(keys) {}

TlsContext::~TlsContext() {
    lib_.SSL_CTX_free(context_);
    lib_.BIO_meth_free(from_room_);
}

Status TlsContext::set_up() {
    context_ = lib_.SSL_CTX_new(lib_.TLS_method());
    if (context_ == nullptr) return tls_error("TLS is not available");
    // Idle links keep no buffers; a record that would block may be written from another address.
    const long mode = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER;
    lib_.SSL_CTX_ctrl(context_, SSL_CTRL_MODE, mode, nullptr);
    lib_.SSL_CTX_ctrl(context_, SSL_CTRL_SET_READ_AHEAD, 1, nullptr);
    lib_.SSL_CTX_ctrl(context_, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, nullptr);
    const bool version =
        lib_.SSL_CTX_ctrl(context_, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_3_VERSION, nullptr) == 1;
    const bool cipher = lib_.SSL_CTX_set_ciphersuites(context_, cipher_name) == 1;
    const bool tickets = lib_.SSL_CTX_set_num_tickets(context_, 0) == 1;
    if (!version || !cipher || !tickets) return tls_error("TLS 1.3 is not available");
    from_room_ = lib_.BIO_meth_new(BIO_TYPE_SOURCE_SINK, "socket read outside");
    if (from_room_ == nullptr) return tls_error("out of memory for TLS");
    lib_.BIO_meth_set_read(from_room_, &TlsContext::take);
    lib_.BIO_meth_set_ctrl(from_room_, [](BIO*, int, long, void*) { return 0L; });
    lib_.SSL_CTX_set_psk_find_session_callback(context_, &TlsContext::find_session);
    lib_.SSL_CTX_set_psk_use_session_callback(context_, &TlsContext::use_session);
    return Ok{};
}

/// The key in the form that OpenSSL wants one from outside.
SSL_SESSION* TlsContext::key_session(const std::string& key) const {
    SSL_SESSION* session = lib_.SSL_SESSION_new();
    if (session == nullptr) return nullptr;
    SSL* const any = lib_.SSL_new(context_);
    const SSL_CIPHER* cipher =
        any == nullptr ? nullptr : lib_.SSL_CIPHER_find(any, cipher_number.data());
    const auto* bytes = reinterpret_cast<const unsigned char*>(key.data());
    const bool made = cipher != nullptr &&
                      lib_.SSL_SESSION_set1_master_key(session, bytes, key.size()) == 1 &&
                      lib_.SSL_SESSION_set_cipher(session, cipher) == 1 &&
                      lib_.SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1;
    lib_.SSL_free(any);
    if (made) return session;
    lib_.SSL_SESSION_free(session);
    return nullptr;
}

int TlsContext::find_session(SSL* ssl, const unsigned char* identity, size_t size,
                             SSL_SESSION** session) {
    auto& self = *static_cast<TlsSession*>(LibSsl::get().SSL_get_ex_data(ssl, session_slot));
    *session = nullptr;
    const auto claim =
        self.context_->keys_.claim_of({reinterpret_cast<const char*>(identity), size});
    if (!claim) return 0;
    self.call_ = TlsCall{claim->from, claim->purpose, claim->public_key, claim->path};
    *session = self.context_->key_session(claim->key);
    return *session != nullptr ? 1 : 0;
}

int TlsContext::take(BIO* bio, char* bytes, int size) {
    const LibSsl& lib = LibSsl::get();
    auto& self = *static_cast<TlsSession*>(lib.BIO_get_data(bio));
    lib.BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    const int n = self.take(bytes, static_cast<size_t>(std::max(size, 0)));
    if (n == 0) lib.BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY);
    return n > 0 ? n : -1;
}

int TlsContext::use_session(SSL* ssl, const EVP_MD*, const unsigned char** identity, size_t* size,
                            SSL_SESSION** session) {
    auto& self = *static_cast<TlsSession*>(LibSsl::get().SSL_get_ex_data(ssl, session_slot));
    const auto& [said, key] = self.proof_;
    *identity = reinterpret_cast<const unsigned char*>(said.data());
    *size = said.size();
    *session = self.context_->key_session(key);
    return *session != nullptr ? 1 : 0;
}

Result<std::unique_ptr<TlsSession>> TlsSession::make(std::shared_ptr<const TlsContext> context,
                                                     int socket, std::optional<TlsCall> call) {
    const LibSsl& lib = context->lib_;
    auto proof = call ? context->keys_.proof_for(call->peer, call->purpose) : std::nullopt;
    if (call && !proof) {
        const std::string& why = LibCrypto::get().why_not;
        return tls_error(why.empty() ? "there is no key for that node" : why);
    }
    auto session = std::make_unique<TlsSession>(std::move(context), call);
    if (!session->set_up(socket)) return tls_error("out of memory for a TLS session");
    if (call) {
        session->proof_ = std::move(*proof);
        lib.SSL_set_connect_state(session->ssl_);
        // A caller without a key cannot use a certificate instead.
        lib.SSL_set_verify(session->ssl_, SSL_VERIFY_PEER, nullptr);
    } else {
        lib.SSL_set_accept_state(session->ssl_);
    }
    return session;
}

TlsSession::TlsSession(std::shared_ptr<const TlsContext> context, std::optional<TlsCall> call)
    : context_(std::move(context)),
      call_(call),
      received_(small_room, '\0'),
      ssl_(context_->lib_.SSL_new(context_->context_)) {}

bool TlsSession::set_up(int socket) {
    const LibSsl& lib = context_->lib_;
    BIO* const input = ssl_ == nullptr ? nullptr : lib.BIO_new(context_->from_room_);
    if (input == nullptr) return false;
    lib.BIO_set_data(input, this);
    lib.BIO_set_init(input, 1);
    lib.SSL_set0_rbio(ssl_, input);  // which owns it now
    return lib.SSL_set_wfd(ssl_, socket) == 1 && lib.SSL_set_ex_data(ssl_, session_slot, this) == 1;
}

TlsSession::~TlsSession() {
    context_->lib_.SSL_free(ssl_);
}

std::span<char> TlsSession::room() {
    if (full_) received_.resize(large_room);
    if (small_in_turn_ > shrink_after && received_.size() > small_room)
        std::string(small_room, '\0').swap(received_);
    return received_;
}

void TlsSession::fill(size_t count) {
    full_ = count == received_.size();
    small_in_turn_ = count < small_room ? small_in_turn_ + 1 : 0;
    left_ = std::string_view(received_).substr(0, count);
}

int TlsSession::take(char* bytes, size_t size) {
    const size_t n = left_.copy(bytes, size);
    left_.remove_prefix(n);
    return static_cast<int>(n);
}

/// Clears errors of other calls: SSL_get_error() would take them for ours. Clearing an empty queue
/// takes longer than looking.
void TlsSession::forget_errors() {
    if (context_->lib_.ERR_peek_error() != 0) context_->lib_.ERR_clear_error();
}

TlsSession::Step TlsSession::step_of(int result) {
    if (result > 0) return Step::done;
    switch (context_->lib_.SSL_get_error(ssl_, result)) {
        case SSL_ERROR_WANT_READ: return Step::readable;
        case SSL_ERROR_WANT_WRITE: return Step::writable;
        default: return Step::failed;
    }
}

TlsSession::Step TlsSession::handshake() {
    forget_errors();
    const Step step = step_of(context_->lib_.SSL_do_handshake(ssl_));
    // A peer that did without the key is none.
    const bool proved = call_ && context_->lib_.SSL_session_reused(ssl_) == 1;
    return step == Step::done && !proved ? Step::failed : step;
}

TlsSession::Step TlsSession::read(char* bytes, size_t size, size_t& count) {
    count = 0;
    // The usual case, told without a way through all of OpenSSL.
    if (left_.empty() && context_->lib_.SSL_has_pending(ssl_) == 0) return Step::readable;
    forget_errors();
    const int n = context_->lib_.SSL_read(ssl_, bytes, clamp_size(size));
    count = n > 0 ? static_cast<size_t>(n) : 0;
    return step_of(n);
}

TlsSession::Step TlsSession::write(const char* bytes, size_t size, size_t& count) {
    forget_errors();
    const int n = context_->lib_.SSL_write(ssl_, bytes, clamp_size(size));
    count = n > 0 ? static_cast<size_t>(n) : 0;
    return step_of(n);
}

}  // namespace launch
