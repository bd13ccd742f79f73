#pragma once

#include <string>
#include <vector>

#include "core/bind/machine.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// To which CPUs ranks will be bound, as far as this machine can tell: what is on other hosts is
/// bound as these are made. Empty where nobody asked and nothing is bound here.
std::vector<std::string> binding_lines(const Plan& plan, const MachineReader& read_machine);

}  // namespace launch
