// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

/// A raw PMI-1 client for test programs: whatever goes wrong is printed and ends the program
/// with 1.
class PmiSession {
  public:
    PmiSession()
        : fd_(number("PMI_FD", -1)), rank_(number("PMI_RANK", 0)), size_(number("PMI_SIZE", 1)) {
        if (fd_ < 0 && std::getenv("PMI_PORT")) connect(std::getenv("PMI_PORT"));
        if (fd_ < 0) give_up("no PMI_FD in the environment: no launcher speaks PMI-1 here");
    }

    int rank() const { return rank_; }
    int size() const { return size_; }
    int fd() const { return fd_; }
    const std::string& kvsname() const { return kvsname_; }
    size_t key_max() const { return key_max_; }
    size_t value_max() const { return value_max_; }

    void init() {
        expect("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init");
        const std::string maxes = expect("cmd=get_maxes", "maxes");
        key_max_ = std::stoul(field(maxes, "keylen_max").value_or("0"));
        value_max_ = std::stoul(field(maxes, "vallen_max").value_or("0"));
        kvsname_ = field(expect("cmd=get_my_kvsname", "my_kvsname"), "kvsname").value_or("");
    }

    /// One request, one answer, which must be that command with rc=0 or none.
    std::string expect(const std::string& request, std::string_view command) {
        const std::string answer = exchange(request);
        if (field(answer, "cmd") != command || field(answer, "rc").value_or("0") != "0")
            give_up("to \"" + request + "\" came \"" + answer + "\"");
        return answer;
    }

    std::string exchange(const std::string& request) {
        send(request + "\n");
        return receive();
    }

    void put(const std::string& key, const std::string& value) {
        expect("cmd=put kvsname=" + kvsname_ + " key=" + key + " value=" + value, "put_result");
    }

    /// Nothing: there is no such key.
    std::optional<std::string> get(const std::string& key) {
        const std::string answer = exchange("cmd=get kvsname=" + kvsname_ + " key=" + key);
        if (field(answer, "cmd") != "get_result") give_up("to a get came \"" + answer + "\"");
        if (field(answer, "rc") != "0") return std::nullopt;
        return field(answer, "value");
    }

    void fence() { expect("cmd=barrier_in", "barrier_out"); }
    void finalize() { expect("cmd=finalize", "finalize_ack"); }

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent < 0) give_up("the launcher closed the connection");
            bytes.remove_prefix(static_cast<size_t>(sent));
        }
    }

    /// The next line, without its end.
    std::string receive() {
        size_t end = 0;
        while ((end = input_.find('\n')) == std::string::npos) {
            char bytes[4096];
            const ssize_t got = ::read(fd_, bytes, sizeof bytes);
            if (got <= 0) give_up("the launcher closed the connection");
            input_.append(bytes, static_cast<size_t>(got));
        }
        std::string line = input_.substr(0, end);
        input_.erase(0, end + 1);
        return line;
    }

    /// The value of `name=` in a line of words.
    static std::optional<std::string> field(std::string_view line, std::string_view name) {
        while (!line.empty()) {
            const std::string_view word = line.substr(0, line.find(' '));
            if (word.size() > name.size() && word[name.size()] == '=' && word.starts_with(name))
                return std::string(word.substr(name.size() + 1));
            line.remove_prefix(std::min(line.size(), word.size() + 1));
        }
        return std::nullopt;
    }

    [[noreturn]] void give_up(const std::string& why) const {
        std::fprintf(stderr, "PMI-1 test client, rank %d: %s\n", rank_, why.c_str());
        std::exit(1);
    }

  private:
    /// PMI_PORT, "127.0.0.1:4711": who we are is told after PMI_ID is.
    void connect(const std::string& address) {
        const size_t colon = address.find(':');
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_addr.s_addr = inet_addr(address.substr(0, colon).c_str());
        to.sin_port = htons(static_cast<uint16_t>(std::stoul(address.substr(colon + 1))));
        fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
            give_up("nobody listens at PMI_PORT");
        expect("cmd=initack pmiid=" + std::to_string(number("PMI_ID", 0)), "initack");
        size_ = std::stoi(field(receive(), "size").value_or("0"));
        rank_ = std::stoi(field(receive(), "rank").value_or("-1"));
        if (field(receive(), "debug") != "0") give_up("no debug= after initack");
    }

    static int number(const char* name, int otherwise) {
        const char* text = std::getenv(name);
        return text ? std::atoi(text) : otherwise;
    }

    int fd_, rank_, size_;
    std::string kvsname_, input_;
    size_t key_max_ = 0, value_max_ = 0;
};
