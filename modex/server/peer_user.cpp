// SPDX-License-Identifier: MIT
#include "modex/server/peer_user.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/socket.h>
#include <vector>

#include "core/base/fd.hpp"
#include "core/base/file_text.hpp"
#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"

namespace launch {
namespace {

struct Question {
    nlmsghdr head{};
    inet_diag_req_v2 body{};
};

struct Ends {
    sockaddr_in here{};
    sockaddr_in there{};
};

std::optional<Ends> ends_of(int socket) {
    Ends ends;
    socklen_t size = sizeof ends.here;
    if (getsockname(socket, reinterpret_cast<sockaddr*>(&ends.here), &size) != 0)
        return std::nullopt;
    size = sizeof ends.there;
    if (getpeername(socket, reinterpret_cast<sockaddr*>(&ends.there), &size) != 0)
        return std::nullopt;
    return ends;
}

/// About the socket at the other end.
Question question_about_peer(const Ends& ends) {
    const auto& [here, there] = ends;
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
    // The kernel reports root as the owner of a socket that no process has open any more.
    return found->idiag_state == TCP_ESTABLISHED ? uid_t{found->idiag_uid} : gone_user;
}

std::optional<uid_t> user_by_sock_diag(const Ends& ends) {
    // The kernel answers before send() returns.
    const UniqueFd kernel(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    const Question question = question_about_peer(ends);
    if (!kernel || send(kernel.get(), &question, sizeof question, 0) < 0) return std::nullopt;
    std::array<char, 4096> answer{};
    const ssize_t size = recv(kernel.get(), answer.data(), answer.size(), MSG_DONTWAIT);
    return size < 0 ? std::nullopt : user_told(answer, static_cast<size_t>(size));
}

/// "0100007F:1F90": bytes of the address as they lie in memory, the port as a number.
std::string table_text(const sockaddr_in& end) {
    char text[16];
    std::snprintf(text, sizeof text, "%08X:%04X", end.sin_addr.s_addr, ntohs(end.sin_port));
    return text;
}

/// After both addresses: state, queues, timer, retransmissions, user.
std::optional<uid_t> user_in_row(std::string_view row) {
    std::vector<std::string_view> words;
    for_each_part(row, ' ', [&words](std::string_view word) {
        if (!word.empty()) words.push_back(word);
    });
    if (words.size() < 5) return std::nullopt;
    return words[0] == "01" ? parse_number<uid_t>(words[4]) : gone_user;
}

std::optional<uid_t> user_in_table(const std::string& table, const Ends& ends) {
    const FileText found = read_file(table);
    if (found.error != 0) return std::nullopt;
    const std::string both = " " + table_text(ends.there) + " " + table_text(ends.here) + " ";
    const size_t at = found.text.find(both);
    if (at == std::string::npos) return gone_user;
    const std::string_view rest = std::string_view(found.text).substr(at + both.size());
    return user_in_row(rest.substr(0, rest.find('\n')));
}

}  // namespace

std::optional<uid_t> peer_user(int socket) {
    const auto ends = ends_of(socket);
    if (!ends) return std::nullopt;
    const auto told = user_by_sock_diag(*ends);
    return told ? told : user_in_table("/proc/net/tcp", *ends);
}

std::optional<uid_t> peer_user_in(const std::string& table, int socket) {
    const auto ends = ends_of(socket);
    return ends ? user_in_table(table, *ends) : std::nullopt;
}

}  // namespace launch
