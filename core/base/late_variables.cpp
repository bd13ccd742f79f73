// SPDX-License-Identifier: MIT
#include "core/base/late_variables.hpp"

#include <atomic>
#include <cstdlib>
#include <deque>
#include <unistd.h>
#include <vector>

namespace launch {
namespace {

/// An entry without a name, which getenv() finds by none and own_environment() leaves out.
char no_variable[] = "=";

}  // namespace

/// Never freed: other threads may read until the process has ended.
void reserve_late_variables(size_t count) {
    static std::vector<char*>* entries = nullptr;
    if (entries != nullptr) return;
    entries = new std::vector<char*>;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        entries->push_back(*entry);
    entries->insert(entries->end(), count, no_variable);
    entries->push_back(nullptr);
    environ = entries->data();
}

void set_late_variable(const std::string& name, const std::string& value) {
    static auto& texts = *new std::deque<std::string>;
    if (std::getenv(name.c_str()) != nullptr) return;  // NOLINT(concurrency-mt-unsafe)
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        if (*entry != no_variable) continue;
        texts.push_back(name + "=" + value);
        std::atomic_ref(*entry).store(texts.back().data(), std::memory_order_release);
        return;
    }
    setenv(name.c_str(), value.c_str(), 0);  // NOLINT(concurrency-mt-unsafe): no room was made
}

}  // namespace launch
