// SPDX-License-Identifier: MIT
#include "core/hosts/hostfile.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/mistakes.hpp"
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

// The words after the list on a line; 0 and empty: not given.
struct LineWords {
    uint32_t slots = 0;
    uint32_t max_slots = 0;
    std::string_view user;
    std::bitset<8> given;  // by the places of word_readers
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

static_assert(word_readers.size() <= decltype(LineWords::given)().size());

std::string read_word(std::string_view word, LineWords& words) {
    std::size_t equals = word.find('=');
    std::string key(word.substr(0, equals));
    std::replace(key.begin(), key.end(), '-', '_');
    const auto* reader = std::find_if(word_readers.begin(), word_readers.end(),
                                      [&](const WordReader& r) { return r.key == key; });
    if (equals == word.npos || reader == word_readers.end()) {
        return "unknown word " + quoted(word);
    }
    const auto which = static_cast<std::size_t>(reader - word_readers.begin());
    if (words.given[which]) return quoted(word) + ": " + key + " is given twice";
    words.given.set(which);
    std::string objection = reader->read(word.substr(equals + 1), words);
    return objection.empty() ? objection : quoted(word) + ": " + objection;
}

// The line without comment, and without the blanks round '=' and ',', so that what belongs
// together is one word. `places`: where not null, receives where in the line each byte stands.
std::string tighten(std::string_view line, std::vector<std::size_t>* places = nullptr) {
    constexpr std::string_view joints = "=,";
    line = line.substr(0, line.find('#'));
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (joints.find(c) != joints.npos) {
            out.erase(out.find_last_not_of(blanks) + 1);
        } else if (blanks.find(c) != blanks.npos) {
            if (out.empty() || joints.find(out.back()) != joints.npos) continue;
        }
        if (places != nullptr) {
            places->resize(out.size());
            places->push_back(i);
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

// The mistake in a line, as a clause; empty: none.
struct Objection {
    std::string text = {};
    std::size_t at = 0;    // in the line as it was tightened
    bool is_last = false;  // all that follows would be wrong, too

    bool empty() const { return text.empty(); }
};

std::string take_words(const LineWords& words, std::vector<Host>& hosts) {
    for (Host& host : hosts) {
        if (words.slots != 0) host.slots = words.slots;
        if (!words.user.empty()) host.user = words.user;
        if (words.max_slots != 0 && words.max_slots < host.slots) {
            return "max_slots (" + std::to_string(words.max_slots) + ") is less than slots (" +
                   std::to_string(host.slots) + ")";
        }
    }
    return {};
}

// The words that follow the list.
Objection read_words(std::string_view line, std::string_view rest, LineWords& words) {
    for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
        std::string text = read_word(word, words);
        if (!text.empty()) {
            return {std::move(text), static_cast<std::size_t>(word.data() - line.data())};
        }
    }
    return {};
}

// Appends the hosts of one line, tightened.
Objection read_line(std::string_view line, std::vector<Host>& hosts) {
    std::string_view rest = line;
    std::string_view list = next_word(rest);
    if (list.empty()) return {};
    const auto begin = static_cast<std::size_t>(list.data() - line.data());
    if (list.find('=') != list.npos) return {"no host before " + quoted(list), begin};
    LineWords words;
    Objection objection = read_words(line, rest, words);
    if (!objection.empty()) return objection;
    std::size_t wrong_at = 0;
    auto parsed = parse_hosts(list, max_hosts, &wrong_at);
    if (!parsed) return {parsed.error().cause, begin + wrong_at};
    if (hosts.size() + parsed->size() > max_hosts) {
        return {"the file names more than " + std::to_string(max_hosts) + " hosts", begin, true};
    }
    objection = {take_words(words, *parsed), begin};
    if (hosts.empty()) {
        hosts = *std::move(parsed);  // a file is often one long list
    } else {
        std::move(parsed->begin(), parsed->end(), std::back_inserter(hosts));
    }
    return objection;
}

// The number of UTF-8 characters, as editors count them: continuation bytes do not count.
std::size_t characters_in(std::string_view text) {
    const auto begins_one = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_one));
}

// The column of a place in the tightened line, in characters from 1.
std::size_t column_of(std::string_view line, std::size_t at) {
    std::vector<std::size_t> places;
    tighten(line, &places);
    return at < places.size() ? characters_in(line.substr(0, places[at])) + 1 : 1;
}

// Drops the mark that some editors put at the beginning of a file to mark it as UTF-8.
void drop_byte_order_mark(std::string& line) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (line.starts_with(mark)) line.erase(0, mark.size());
}

// All that is wrong with a file: what comes first is kept, the rest is counted.
class FileMistakes {
  public:
    explicit FileMistakes(std::string_view name) : name_(name) {}

    void add(std::size_t number, std::string_view line, const Objection& objection) {
        if (kept_.size() == most_told) {
            ++more_;
            return;
        }
        kept_.add(file_error(name_ + ":" + std::to_string(number) + ":" +
                                 std::to_string(column_of(line, objection.at)),
                             objection.text));
    }

    bool empty() const { return kept_.empty(); }

    // The first, with the others.
    Error take() {
        if (more_ > 0) kept_.add(file_error(name_, "... and " + std::to_string(more_) + " more"));
        return kept_.take();
    }

  private:
    static constexpr std::size_t most_told = 20;

    std::string name_;
    Mistakes kept_;
    std::size_t more_ = 0;
};

}  // namespace

Result<std::vector<Host>> parse_hostfile(std::istream& file, std::string_view name) {
    std::vector<Host> hosts;
    FileMistakes mistakes(name);
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        if (number == 1) drop_byte_order_mark(line);
        const Objection objection = read_line(tighten(line), hosts);
        if (!objection.empty()) mistakes.add(number, line, objection);
        if (objection.is_last) break;
    }
    if (file.bad()) return file_error(name, "the file cannot be read to its end");
    if (!mistakes.empty()) return mistakes.take();
    if (hosts.empty()) return file_error(name, "no host is named");
    return hosts;
}

}  // namespace launch
