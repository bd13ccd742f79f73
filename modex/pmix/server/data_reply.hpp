#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// How data goes back to libpmix, which says when it has read it.
class DataReply {
  public:
    DataReply(std::shared_ptr<Inbox> inbox, pmix_modex_cbfunc_t answer, void* cookie)
        : inbox_(std::move(inbox)), answer_(answer), cookie_(cookie) {}

    void operator()(Result<std::string> result) const {
        if (!inbox_->is_open()) return;
        if (!result)
            return answer_(status_of(result.error()), nullptr, 0, cookie_, nullptr, nullptr);
        if (result->empty()) return answer_(PMIX_SUCCESS, nullptr, 0, cookie_, nullptr, nullptr);
        auto data = std::make_unique<std::string>(std::move(*result));
        const std::string& text = *data;
        answer_(PMIX_SUCCESS, text.data(), text.size(), cookie_, release, data.release());
    }

  private:
    static pmix_status_t status_of(const Error& error) {
        return error.kind == ErrorKind::usage ? PMIX_ERR_BAD_PARAM : PMIX_ERR_NOT_FOUND;
    }
    static void release(void* data) { delete static_cast<std::string*>(data); }

    std::shared_ptr<Inbox> inbox_;
    pmix_modex_cbfunc_t answer_;
    void* cookie_;
};

}  // namespace launch
