// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace launch {

/// While it lives this thread, and threads that it starts for good, take no signals: they are for
/// the thread of the io_context, and one that reaches a thread which waits for something else may
/// wait with it.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_{};
};

}  // namespace launch
