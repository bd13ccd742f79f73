// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "core/async/task_group.hpp"
#include "core/base/fd.hpp"
#include "modex/front/front.hpp"

namespace launch {

/// Answers the requests of a session.
class SessionHandler {
  public:
    virtual ~SessionHandler() = default;

    /// May reply at once or later, but not from inside this call.
    virtual void request(uint32_t rank, Request request) = 0;
    /// All requests that have arrived were passed on: time to answer.
    virtual void served() = 0;
    virtual void broken(uint32_t rank, const Error& error) = 0;
    /// The rank closed its side.
    virtual void hung_up(uint32_t rank) = 0;
    virtual void heard(uint32_t rank, std::string_view bytes) = 0;
    virtual void told(uint32_t rank, std::string_view bytes) = 0;
};

/// The conversation with one local rank over its socket, inherited or come to the port: moves bytes
/// between the socket and the front. A rank that does not read its answers stops being listened to.
class RankSession {
  public:
    RankSession(any_io_executor executor, uint32_t rank, UniqueFd socket,
                std::unique_ptr<Front> front, SessionHandler& handler);

    /// Until the rank hangs up, breaks the protocol, or close().
    awaitable<void> run();
    /// Bytes that were read of it already, before run().
    void take(std::string_view bytes);
    /// Takes what lies in the socket, within a bound: whoever wrote it has no more to say.
    void drain();
    void reply(uint64_t ticket, const Reply& reply);
    void close();

    bool open() const { return socket_.is_open(); }
    /// It has ended as it should: the rank may come with another.
    bool over() const { return stage_ == Stage::hung_up && !front_->joined(); }
    const Front& front() const { return *front_; }
    /// run() has been called and has not ended.
    bool running() const { return running_; }
    /// It has said something.
    bool spoke() const { return spoke_; }

  private:
    enum class Stage : uint8_t {
        talks,
        hung_up,  ///< by the rank; what it had asked before may still be answered
        broken,   ///< it said what the protocol does not know: nothing is answered any more
    };

    void serve();
    void flush();
    void write_some();
    awaitable<void> write_rest();

    uint32_t rank_;
    asio::generic::stream_protocol::socket socket_;
    std::unique_ptr<Front> front_;
    SessionHandler& handler_;
    TaskGroup tasks_;
    std::string output_;
    Stage stage_ = Stage::talks;
    bool writing_ = false;
    bool spoke_ = false;
    bool running_ = false;
};

}  // namespace launch
