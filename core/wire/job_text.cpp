// SPDX-License-Identifier: MIT
#include "core/wire/job_text.hpp"

#include "core/base/codec.hpp"

namespace launch {

std::string wrap_job(JobNumber job, std::string_view body) {
    return Encoder().number(static_cast<uint32_t>(job)).raw(body).take();
}

std::optional<JobText> unwrap_job(std::string_view payload) {
    Decoder in(payload);
    const JobNumber job{in.number32()};
    const std::string_view body = in.rest();
    if (!in.ok()) return std::nullopt;
    return JobText{job, body};
}

}  // namespace launch
