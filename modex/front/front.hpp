// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/wire/spawn_messages.hpp"

namespace launch {

/// A rank's request to the node's modex, in any wire protocol.
struct Request {
    enum class Kind : uint8_t {
        put,        ///< key, value
        get,        ///< key; `number`: the rank that put it if the wire says so, else -1
        fence,      ///< answered when every rank of the job has joined
        publish,    ///< key: the service's name, value: its port
        unpublish,  ///< key
        lookup,     ///< key; `number`: so many ms for it to be published, -1 as long as it takes
        get_of,     ///< key of the rank `number`, of the job that `value` names
        put_node,   ///< key, value: an attribute of this node
        get_node,   ///< key; `wait`: answer only when there is one
        get_job,    ///< key: an attribute of the job
        spawn,      ///< `spawn`: more processes; answered when they start, by the id of their job
        ask_head,   ///< `spawn`: anything else that the head can do; answered by its words
        abort,      ///< `number`: exit code, value: message; not answered
        finalize,   ///< answered at once; the rank joins no fence any more
    };
    Kind kind = Kind::fence;
    uint64_t ticket = 0;  ///< names this request among those of the same front
    std::string key;
    std::string value;
    int32_t number = -1;
    bool wait = false;
    SpawnOrder spawn = {};
};

/// The answer to one Request. `ok` false: there is no such key, or it was refused; `value` then
/// says why, in the field's words ("key_not_found").
struct Reply {
    bool ok = true;
    std::string value;
    std::vector<int> codes = {};  ///< of each process that was to be spawned: 0, or it could not
};

/// The facts from which a front answers by itself, without a question to another part.
struct RankFacts {
    uint32_t rank = 0;
    uint32_t size = 1;
    uint32_t appnum = 0;         ///< which program of the job, from 0
    uint32_t universe_size = 1;  ///< slots of the job
    /// Also the job's id on the wire: below 64 characters (pmi1_kvsname_max), no blank, '=' or ';'.
    std::string kvsname;
    /// "(vector,(0,8,2))"; empty where it would not fit: ranks then find their neighbours
    /// themselves.
    std::string process_mapping;
    std::string spawner;  ///< the id of the job whose rank spawned this one; empty: it was not
                          ///< spawned
};

/// The session of one rank with one wire protocol: bytes in, requests out, replies in, bytes out.
/// Sans I/O; holds no state of the job beyond the session.
class Front {
  public:
    virtual ~Front() = default;

    /// Bytes from the rank, cut anywhere.
    virtual void feed(std::string_view bytes) = 0;
    /// The next request. Nothing: more bytes are needed, or a reply first. An Error (operation and
    /// cause, no host): the rank does not keep to the protocol; the session is over.
    virtual Result<std::optional<Request>> next() = 0;
    /// Answers a request that next() gave, except abort.
    virtual void reply(uint64_t ticket, const Reply& reply) = 0;
    /// Bytes for the rank.
    virtual std::string take_output() = 0;

    /// The rank has spoken: it joined the job and has not finalized.
    virtual bool joined() const = 0;
    virtual bool finalized() const = 0;
};

}  // namespace launch
