#include "modex/pmi1/spawn.hpp"

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/pmi1/limits.hpp"

namespace launch {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Error fault(std::string_view line, std::string_view why) {
    return pmi_error("PMI-1", line, why);
}

/// "preput_key_" of "preput_key_0".
std::string_view without_index(std::string_view name) {
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

}  // namespace

Result<bool> Pmi1SpawnReader::add(std::string_view line) {
    size_ += line.size() + 1;
    if (size_ > pmi1_spawn_max)
        return pmi_error("PMI-1",
                         "sent a spawn of more than " + std::to_string(pmi1_spawn_max) + " bytes");
    if (!inside_) {
        if (line != "mcmd=spawn")
            return fault(line, ", where another program to spawn was to come");
        inside_ = true;
        return false;
    }
    if (line == "endcmd") return end_program();
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return fault(line, ", which is no field of a spawn");
    const auto kept = field(line.substr(0, equals), line.substr(equals + 1));
    if (!kept) return kept.error();
    return false;
}

Status Pmi1SpawnReader::field(std::string_view name, std::string_view value) {
    uint32_t* number = nullptr;
    if (name == "nprocs") number = &spawn_.processes;
    if (name == "totspawns") number = &total_;
    if (name == "argcnt") number = &argument_count_;
    if (number != nullptr) {
        const auto parsed = parse_number<uint32_t>(value);
        if (!parsed) return fault(value, ", which is no " + std::string(name) + " of a spawn");
        *number = *parsed;
        return Ok{};
    }
    if (name == "execname") {
        spawn_.program = value;
        return Ok{};
    }
    return indexed(name, value);
}

// Clients number arguments from 1, the protocol's text from 0; both send them in order. The same
// holds for pairs of which the key comes first. What else there is (spawnssofar, preput_num,
// info_num) repeats what is known.
Status Pmi1SpawnReader::indexed(std::string_view name, std::string_view value) {
    const std::string_view kind = without_index(name);
    if (kind == "arg") spawn_.arguments.emplace_back(value);
    const auto pairs = [&](std::string_view prefix, Pairs& into) -> bool {
        if (!kind.starts_with(prefix)) return true;
        const std::string_view rest = kind.substr(prefix.size());
        if (rest == "key_") into.emplace_back(std::string(value), "");
        if (rest == "val_" || rest == "value_") {
            if (into.empty()) return false;
            into.back().second = value;
        }
        return true;
    };
    if (pairs("preput_", spawn_.preputs) && pairs("info_", spawn_.infos)) return Ok{};
    return fault(name, ", which follows no key");
}

Result<bool> Pmi1SpawnReader::end_program() {
    if (spawn_.program.empty()) return pmi_error("PMI-1", "sent a spawn without execname=");
    if (spawn_.processes == 0) return pmi_error("PMI-1", "sent a spawn without nprocs=");
    if (spawn_.arguments.size() != argument_count_)
        return pmi_error("PMI-1", "sent a spawn of " + std::to_string(spawn_.arguments.size()) +
                                      " arguments with argcnt=" + std::to_string(argument_count_));
    spawns_.push_back(std::exchange(spawn_, {}));
    argument_count_ = 0;
    inside_ = false;
    return spawns_.size() >= total_;
}

}  // namespace launch
