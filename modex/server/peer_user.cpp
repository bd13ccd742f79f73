#include "modex/server/peer_user.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

struct Question {
    nlmsghdr head{};
    inet_diag_req_v2 body{};
};

/// About the socket from which `ours` is seen as the peer.
std::optional<Question> question_about_peer_of(int ours) {
    sockaddr_in here{};
    sockaddr_in there{};
    socklen_t size = sizeof here;
    if (getsockname(ours, reinterpret_cast<sockaddr*>(&here), &size) != 0) return std::nullopt;
    size = sizeof there;
    if (getpeername(ours, reinterpret_cast<sockaddr*>(&there), &size) != 0) return std::nullopt;
    Question question;
    question.head.nlmsg_len = sizeof question;
    question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    question.head.nlmsg_flags = NLM_F_REQUEST;
    question.body.sdiag_family = AF_INET;
    question.body.sdiag_protocol = IPPROTO_TCP;
    question.body.idiag_states = ~0U;
    question.body.id.idiag_sport = there.sin_port;
    question.body.id.idiag_dport = here.sin_port;
    question.body.id.idiag_src[0] = there.sin_addr.s_addr;
    question.body.id.idiag_dst[0] = here.sin_addr.s_addr;
    question.body.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
    question.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    return question;
}

template <class T>
std::optional<T> body_of(const std::array<char, 4096>& answer, size_t size) {
    if (size < NLMSG_HDRLEN + sizeof(T)) return std::nullopt;
    T body{};
    std::memcpy(&body, answer.data() + NLMSG_HDRLEN, sizeof body);
    return body;
}

std::optional<uid_t> user_told(const std::array<char, 4096>& answer, size_t size) {
    nlmsghdr head{};
    if (size < sizeof head) return std::nullopt;
    std::memcpy(&head, answer.data(), sizeof head);
    if (head.nlmsg_type == NLMSG_ERROR) {
        const auto error = body_of<nlmsgerr>(answer, size);
        return error && error->error == -ENOENT ? std::optional(gone_user) : std::nullopt;
    }
    if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;
    const auto found = body_of<inet_diag_msg>(answer, size);
    if (!found) return std::nullopt;
    // The kernel says that a socket which nobody has open any more is root's.
    return found->idiag_state == TCP_ESTABLISHED ? uid_t{found->idiag_uid} : gone_user;
}

}  // namespace

std::optional<uid_t> peer_user(int socket) {
    // The kernel answers before send() returns.
    const UniqueFd kernel(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    const auto question = question_about_peer_of(socket);
    if (!kernel || !question) return std::nullopt;
    std::array<char, 4096> answer{};
    if (send(kernel.get(), &*question, sizeof *question, 0) < 0) return std::nullopt;
    const ssize_t size = recv(kernel.get(), answer.data(), answer.size(), MSG_DONTWAIT);
    return size < 0 ? std::nullopt : user_told(answer, static_cast<size_t>(size));
}

}  // namespace launch
