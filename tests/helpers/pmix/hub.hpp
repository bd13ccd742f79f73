// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// What nodes and the hub between them tell each other, one message a packet.
struct Message {
    enum Kind : char {
        fence = 'F',      ///< key: the group, number: its nodes, data
        fetch = 'G',      ///< number: the rank; from a node, and on to the node that has it
        fetched = 'A',    ///< answers a fetch that the hub passed on
        publish = 'P',    ///< key, data
        lookup = 'L',     ///< key
        unpublish = 'U',  ///< key
        reply = 'r',      ///< number: 1 if there is such a thing, data
        died = 'D',       ///< number: the rank; told to all
        event = 'V',      ///< data; told to all other nodes
        abort_job = 'X',  ///< told to all
        ended = 'E',      ///< all ranks of the node have; it still answers fetches
    };
    char kind = 0;
    uint64_t id = 0;
    uint32_t number = 0;
    std::string key;
    std::string data;
};

/// False: the other end has closed.
bool send_message(int fd, const Message& message);
bool receive_message(int fd, Message& message);

/// Stands between the nodes of a job and plays the launcher's tree: collects fences, keeps names,
/// passes requests on.
class Hub {
  public:
    Hub(std::vector<int> nodes, uint32_t ranks_per_node)
        : nodes_(std::move(nodes)), per_node_(ranks_per_node) {}

    /// Until the ranks of all nodes have ended.
    void run();

  private:
    struct Asked {
        int fd = -1;
        uint64_t id = 0;
    };
    struct Fence {
        std::vector<Asked> who;
        std::string data;
    };
    void handle(int fd, const Message& message);
    void join_fence(int fd, const Message& message);
    void pass_fetch(int fd, const Message& message);
    void answer(const Asked& asked, bool found, const std::string& data);
    void tell_others(int fd, const Message& message);
    void use_names(int fd, const Message& message);

    std::vector<int> nodes_;  ///< -1: closed
    size_t ended_ = 0;
    uint32_t per_node_;
    std::map<std::string, Fence> fences_;
    std::map<uint64_t, Asked> fetches_;
    std::map<std::string, std::string> names_;
    uint64_t next_fetch_ = 1;
};
