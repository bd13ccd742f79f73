// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/console.hpp"
