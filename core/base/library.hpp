// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>
#include <string>
#include <type_traits>
#include <utility>

namespace launch {

/// A shared library that is opened when it is first needed: a node may lack it, and most starts of
/// the program never want it. Stays loaded, as libraries leave handlers behind that run when the
/// process ends.
class Library {
  public:
    explicit Library(const std::string& file)
        : file_(file), handle_(dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
        if (handle_ == nullptr) why_ = file + " is not installed";
    }

    bool is_open() const { return handle_ != nullptr; }
    /// Sets `function` to the library's function of that name. False: it has none.
    template <class Function>
    bool load(Function& function, const char* name) {
        if (handle_ == nullptr) return false;
        // NOLINTNEXTLINE(bugprone-casting-through-void): what dlsym(3) is for
        function = reinterpret_cast<std::remove_reference_t<Function>>(dlsym(handle_, name));
        if (function == nullptr && why_.empty()) why_ = file_ + " lacks " + name;
        return function != nullptr;
    }

    /// Unloads the library, of which no function has been called.
    void discard() {
        if (handle_ != nullptr) dlclose(std::exchange(handle_, nullptr));
    }

    /// Empty: everything was found.
    const std::string& why_not() const { return why_; }

  private:
    std::string file_;
    void* handle_;
    std::string why_;
};

}  // namespace launch
