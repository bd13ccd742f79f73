#include "transports/direct/tls.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>

namespace launch {
namespace {

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

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const DirectLinkSettings& settings) {
    const LibSsl& lib = LibSsl::get();
    if (!lib.why_not.empty()) return tls_error(lib.why_not);
    auto context = std::make_shared<TlsContext>(settings);
    Status ready = context->set_up();
    if (!ready) return std::move(ready.error());
    return std::shared_ptr<const TlsContext>(std::move(context));
}

TlsContext::TlsContext(const DirectLinkSettings& settings)
    : lib_(LibSsl::get()), self_(settings.self), job_id_(settings.job_id), key_(settings.key) {}

TlsContext::~TlsContext() {
    lib_.SSL_CTX_free(context_);
}

Status TlsContext::set_up() {
    context_ = lib_.SSL_CTX_new(lib_.TLS_method());
    if (context_ == nullptr || key_.size() != link_key_size) return tls_error("no TLS to be had");
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
    if (!version || !cipher || !tickets) return tls_error("no TLS 1.3 to be had");
    lib_.SSL_CTX_set_psk_find_session_callback(context_, &TlsContext::find_session);
    lib_.SSL_CTX_set_psk_use_session_callback(context_, &TlsContext::use_session);
    return Ok{};
}

std::string TlsContext::identity(NodeIndex from, NodeIndex to, LinkPurpose purpose) const {
    constexpr std::array<const char*, 4> names{"/move", "/attach", "/route", "/peer"};
    const char* what = names[static_cast<size_t>(purpose)];
    return job_id_ + "/" + std::to_string(from) + "/" + std::to_string(to) + what;
}

std::optional<TlsCall> TlsContext::caller(std::string_view identity) const {
    const std::string_view job(job_id_);
    if (!identity.starts_with(job)) return std::nullopt;
    const std::string_view from_on = identity.substr(std::min(job.size() + 1, identity.size()));
    NodeIndex from = 0;
    const auto [end, error] =
        std::from_chars(from_on.data(), from_on.data() + from_on.size(), from);
    if (error != std::errc{}) return std::nullopt;
    // Said in one way only: what is not what we would say ourselves is nobody's.
    for (const auto purpose :
         {LinkPurpose::move, LinkPurpose::attach, LinkPurpose::route, LinkPurpose::peer})
        if (identity == this->identity(from, self_, purpose)) return TlsCall{from, purpose};
    return std::nullopt;
}

/// The job's key in the form that OpenSSL wants one from outside.
SSL_SESSION* TlsContext::key_session() const {
    SSL_SESSION* session = lib_.SSL_SESSION_new();
    if (session == nullptr) return nullptr;
    SSL* const any = lib_.SSL_new(context_);
    const SSL_CIPHER* cipher =
        any == nullptr ? nullptr : lib_.SSL_CIPHER_find(any, cipher_number.data());
    const auto* key = reinterpret_cast<const unsigned char*>(key_.data());
    const bool made = cipher != nullptr &&
                      lib_.SSL_SESSION_set1_master_key(session, key, key_.size()) == 1 &&
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
    self.call_ = self.context_->caller({reinterpret_cast<const char*>(identity), size});
    if (self.call_) *session = self.context_->key_session();
    return *session != nullptr ? 1 : 0;
}

int TlsContext::use_session(SSL* ssl, const EVP_MD*, const unsigned char** identity, size_t* size,
                            SSL_SESSION** session) {
    auto& self = *static_cast<TlsSession*>(LibSsl::get().SSL_get_ex_data(ssl, session_slot));
    self.identity_ =
        self.context_->identity(self.context_->self_, self.call_->peer, self.call_->purpose);
    *identity = reinterpret_cast<const unsigned char*>(self.identity_.data());
    *size = self.identity_.size();
    *session = self.context_->key_session();
    return *session != nullptr ? 1 : 0;
}

Result<std::unique_ptr<TlsSession>> TlsSession::make(std::shared_ptr<const TlsContext> context,
                                                     int socket, std::optional<TlsCall> call) {
    const LibSsl& lib = context->lib_;
    auto session = std::make_unique<TlsSession>(std::move(context), call);
    if (session->ssl_ == nullptr || lib.SSL_set_fd(session->ssl_, socket) != 1 ||
        lib.SSL_set_ex_data(session->ssl_, session_slot, session.get()) != 1)
        return tls_error("no memory for a TLS session");
    if (call) {
        lib.SSL_set_connect_state(session->ssl_);
        // Who has no key cannot help itself with a certificate.
        lib.SSL_set_verify(session->ssl_, SSL_VERIFY_PEER, nullptr);
    } else {
        lib.SSL_set_accept_state(session->ssl_);
    }
    return session;
}

TlsSession::TlsSession(std::shared_ptr<const TlsContext> context, std::optional<TlsCall> call)
    : context_(std::move(context)), call_(call), ssl_(context_->lib_.SSL_new(context_->context_)) {}

TlsSession::~TlsSession() {
    context_->lib_.SSL_free(ssl_);
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
    context_->lib_.ERR_clear_error();
    const Step step = step_of(context_->lib_.SSL_do_handshake(ssl_));
    // A peer that did without the key is none.
    const bool proved = call_ && context_->lib_.SSL_session_reused(ssl_) == 1;
    return step == Step::done && !proved ? Step::failed : step;
}

TlsSession::Step TlsSession::read(char* bytes, size_t size, size_t& count) {
    context_->lib_.ERR_clear_error();
    const int n = context_->lib_.SSL_read(ssl_, bytes, clamp_size(size));
    count = n > 0 ? static_cast<size_t>(n) : 0;
    return step_of(n);
}

TlsSession::Step TlsSession::write(const char* bytes, size_t size, size_t& count) {
    context_->lib_.ERR_clear_error();
    const int n = context_->lib_.SSL_write(ssl_, bytes, clamp_size(size));
    count = n > 0 ? static_cast<size_t>(n) : 0;
    return step_of(n);
}

}  // namespace launch
