// SPDX-License-Identifier: MIT
#include "core/async/run.hpp"

#include <exception>

namespace launch {

void run_to_end(asio::io_context& io, awaitable<void> task) noexcept {
    try {
        asio::co_spawn(io, std::move(task), [](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
        });
        io.run();
    } catch (...) {
        std::terminate();  // from here, so that its handler sees the exception
    }
}

}  // namespace launch
