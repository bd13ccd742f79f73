#include "core/hosts/hostfile.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

Error file_error(std::string_view where, std::string_view cause) {
    return {.kind = ErrorKind::usage,
            .operation = "read the host file",
            .host = {},
            .cause = std::string(where) + ": " + std::string(cause),
            .hint = {}};
}

// What follows the list on a line; 0 and empty: not given.
struct LineWords {
    uint32_t slots = 0;
    uint32_t max_slots = 0;
    std::string_view user;
};

std::string read_user(std::string_view value, std::string_view& user) {
    user = value;
    return objection_to_user(value);
}

// A reader returns what is wrong with the value, or an empty string.
struct WordReader {
    std::string_view key;
    std::string (*read)(std::string_view value, LineWords& words);
};

constexpr std::array word_readers = {
    WordReader{"slots", [](std::string_view v, LineWords& w) { return read_slots(v, w.slots); }},
    WordReader{"max_slots",
               [](std::string_view v, LineWords& w) { return read_slots(v, w.max_slots); }},
    WordReader{"user", [](std::string_view v, LineWords& w) { return read_user(v, w.user); }},
    WordReader{"binding", [](std::string_view, LineWords&) { return std::string(); }},
    WordReader{"ifname", [](std::string_view, LineWords&) { return std::string(); }},
};

std::string read_word(std::string_view word, LineWords& words) {
    std::size_t equals = word.find('=');
    std::string key(word.substr(0, equals));
    std::replace(key.begin(), key.end(), '-', '_');
    const auto* reader = std::find_if(word_readers.begin(), word_readers.end(),
                                      [&](const WordReader& r) { return r.key == key; });
    if (equals == word.npos || reader == word_readers.end()) {
        return "unknown word " + quoted(word);
    }
    std::string objection = reader->read(word.substr(equals + 1), words);
    return objection.empty() ? objection : quoted(word) + ": " + objection;
}

// The line without comment, and without the blanks round '=' and ',', so that what belongs
// together is one word.
std::string tighten(std::string_view line) {
    constexpr std::string_view joints = "=,";
    line = line.substr(0, line.find('#'));
    std::string out;
    for (char c : line) {
        if (joints.find(c) != joints.npos) {
            out.erase(out.find_last_not_of(blanks) + 1);
        } else if (blanks.find(c) != blanks.npos) {
            if (out.empty() || joints.find(out.back()) != joints.npos) continue;
        }
        out += c;
    }
    return out;
}

std::string_view next_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

std::string take_line(const LineWords& words, std::vector<Host>& hosts) {
    for (Host& host : hosts) {
        if (words.slots != 0) host.slots = words.slots;
        if (!words.user.empty()) host.user = words.user;
        if (words.max_slots != 0 && words.max_slots < host.slots) {
            return "max_slots is " + std::to_string(words.max_slots) + ", below slots, which is " +
                   std::to_string(host.slots);
        }
    }
    return {};
}

// Appends the hosts of one line. Returns what is wrong with it, or an empty string.
std::string read_line(std::string_view raw, std::vector<Host>& hosts) {
    std::string line = tighten(raw);
    std::string_view rest = line;
    std::string_view list = next_word(rest);
    if (list.empty()) return {};
    if (list.find('=') != list.npos) return "no host before " + quoted(list);
    LineWords words;
    for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
        std::string objection = read_word(word, words);
        if (!objection.empty()) return objection;
    }
    auto parsed = parse_hosts(list);
    if (!parsed) return parsed.error().cause;
    if (hosts.size() + parsed->size() > max_hosts) {
        return "the file makes more than " + std::to_string(max_hosts) + " hosts";
    }
    std::string objection = take_line(words, *parsed);
    if (hosts.empty()) {
        hosts = *std::move(parsed);  // a file is often one long list
    } else {
        std::move(parsed->begin(), parsed->end(), std::back_inserter(hosts));
    }
    return objection;
}

}  // namespace

Result<std::vector<Host>> parse_hostfile(std::istream& file, std::string_view name) {
    std::vector<Host> hosts;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        std::string objection = read_line(line, hosts);
        if (!objection.empty()) {
            return file_error(std::string(name) + ":" + std::to_string(number), objection);
        }
    }
    if (file.bad()) return file_error(name, "it can't be read to its end");
    if (hosts.empty()) return file_error(name, "it names no host");
    return hosts;
}

}  // namespace launch
