// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/job/job_spec.hpp"
#include "core/process/reaper.hpp"
#include "core/process/removal_list.hpp"
#include "core/transport.hpp"

namespace launch {

/// Told what a transport decided on its own (another way for one host, say); for --verbose.
using TransportNote = std::function<void(const std::string& host, const std::string& text)>;

/// Makes a transport by the name in its options; transports/ is injected into core by cmd/.
/// `to_remove`: takes what it may leave behind where this process is killed; null: nobody does.
using TransportFactory = std::function<Result<std::unique_ptr<Transport>>(
    any_io_executor executor, const TransportOptions& options, Reaper& reaper, TransportNote note,
    RemovalList* to_remove)>;

}  // namespace launch
