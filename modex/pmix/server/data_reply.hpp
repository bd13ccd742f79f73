// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// Hands data, or an error, to libpmix, which says when it has read the data.
inline void answer_data(Result<std::string> result, pmix_modex_cbfunc_t answer, void* cookie) {
    if (!result) {
        const bool usage = result.error().kind == ErrorKind::usage;
        return answer(usage ? PMIX_ERR_BAD_PARAM : PMIX_ERR_NOT_FOUND, nullptr, 0, cookie, nullptr,
                      nullptr);
    }
    if (result->empty()) return answer(PMIX_SUCCESS, nullptr, 0, cookie, nullptr, nullptr);
    auto data = std::make_unique<std::string>(std::move(*result));
    const std::string& text = *data;
    const auto release = [](void* read) { delete static_cast<std::string*>(read); };
    answer(PMIX_SUCCESS, text.data(), text.size(), cookie, release, data.release());
}

/// An answer to libpmix that is owed as long as the job's inbox is open.
class DataReply {
  public:
    DataReply(std::shared_ptr<Inbox> inbox, pmix_modex_cbfunc_t answer, void* cookie)
        : inbox_(std::move(inbox)), answer_(answer), cookie_(cookie) {}

    void operator()(Result<std::string> result) const {
        if (inbox_->is_open()) answer_data(std::move(result), answer_, cookie_);
    }

  private:
    std::shared_ptr<Inbox> inbox_;
    pmix_modex_cbfunc_t answer_;
    void* cookie_;
};

}  // namespace launch
