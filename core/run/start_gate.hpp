#pragma once

#include <cstdint>

namespace launch {

/// What the ranks of a node wait for once they are known. Sans I/O.
class StartGate {
  public:
    enum class Lock : uint8_t {
        files = 1,    ///< the job's files are not here yet
        word = 2,     ///< the head has not said yet that all is ready
        look = 4,     ///< whether they can start is still looked at
        service = 8,  ///< what they are to be offered is not there yet
    };

    void close(Lock lock) { locks_ |= static_cast<uint8_t>(lock); }
    void open(Lock lock) { locks_ &= static_cast<uint8_t>(~static_cast<uint8_t>(lock)); }
    bool is_open() const { return locks_ == 0; }

  private:
    uint8_t locks_ = 0;
};

}  // namespace launch
