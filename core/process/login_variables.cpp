// SPDX-License-Identifier: MIT
#include "core/process/login_variables.hpp"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace launch {

void set_login_variables() {
    const passwd* user = getpwuid(geteuid());
    if (user == nullptr) return;
    setenv("HOME", user->pw_dir, 0);
    setenv("USER", user->pw_name, 0);
    setenv("LOGNAME", user->pw_name, 0);
    setenv("SHELL", user->pw_shell, 0);
}

}  // namespace launch
