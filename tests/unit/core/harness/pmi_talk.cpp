// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/pmi_talk.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include "core/base/environment.hpp"

namespace launch {

PmiTalk::PmiTalk(const any_io_executor& executor, const std::vector<std::string>& env)
    : socket_(executor) {
    const std::string number = env_value(env, "PMI_FD");
    if (number.empty()) return;
    const int own = fcntl(std::stoi(number), F_DUPFD_CLOEXEC, 0);
    socket_.assign(asio::generic::stream_protocol(AF_UNSPEC, 0), own);
}

awaitable<std::string> PmiTalk::ask(std::string line) {
    line += '\n';
    const ssize_t sent = socket_.is_open() ? send(socket_.native_handle(), line.data(), line.size(),
                                                  MSG_NOSIGNAL | MSG_DONTWAIT)
                                           : -1;
    std::string room(1024, '\0');
    while (sent > 0 && socket_.is_open()) {
        const size_t end = unread_.find('\n');
        if (end != std::string::npos) {
            std::string answer = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            co_return answer;
        }
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        auto buffer = asio::buffer(room);
        const size_t n = co_await socket_.async_read_some(buffer, token);
        if (ec) break;
        unread_.append(room, 0, n);
    }
    co_return std::string();
}

void PmiTalk::stop_waiting() {
    std::error_code ignored;
    socket_.cancel(ignored);
}

void PmiTalk::close() {
    std::error_code ignored;
    socket_.close(ignored);
}

std::string PmiTalk::field(const std::string& answer, const std::string& name) {
    const std::string begin = " " + name + "=";
    const size_t at = answer.find(begin);
    if (at == std::string::npos) return {};
    const size_t from = at + begin.size();
    return answer.substr(from, answer.find(' ', from) - from);
}

}  // namespace launch
