// SPDX-License-Identifier: MIT
#include "cmd/options/scan.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "cmd/options/foreign_options.hpp"
#include "cmd/options/source.hpp"
#include "cmd/options/usage_error.hpp"

namespace launch {
namespace {

/// An option's word, taken apart.
struct OptionWord {
    const OptionRow* option = nullptr;
    bool negated = false;
    std::string spelling;
    bool has_value = false;
    std::string value;
};

OptionWord take_apart(const std::string& word, OptionTable table) {
    const auto equals = word.find('=');
    OptionWord taken;
    taken.spelling = word.substr(0, equals);
    taken.option = find_option(taken.spelling, table);
    if (taken.option == nullptr) {
        taken.option = find_negated(taken.spelling, table);
        taken.negated = taken.option != nullptr;
    }
    if (equals != std::string::npos) {
        taken.has_value = true;
        taken.value = word.substr(equals + 1);
    }
    const bool attached = taken.option == nullptr && word.size() > 2 &&
                          std::isdigit(static_cast<unsigned char>(word[2])) != 0;
    if (!attached) return taken;
    const auto* option = find_option(word.substr(0, 2), table);
    if (option == nullptr || option->is_flag()) return taken;
    return {option, false, word.substr(0, 2), true, word.substr(2)};
}

class Scanner {
  public:
    Scanner(const std::vector<std::string>& words, const WordRules& rules)
        : words_(words), rules_(rules), table_(rules.table) {}

    Scanned run() {
        auto& segments = made_.segments;
        do {
            segments.emplace_back();
            only_one_ = segments.size() == 1;
            read_segment(segments.back());
            if (segments.back().asks_about_launch()) {
                check_alone(segments.back().options.back());
                break;
            }
        } while (at_ < words_.size() && words_[at_++] == rules_.separator);
        // A question about launch does not require correct values before it.
        if (segments.back().asks_about_launch() && made_.is_clear) made_.mistakes = {};
        return std::move(made_);
    }

  private:
    static bool has_one(const Segment& segment, bool (OptionRow::*that)() const) {
        return std::any_of(segment.options.begin(), segment.options.end(),
                           [that](const Given& given) { return (given.option->*that)(); });
    }

    bool at_end() const { return at_ == words_.size() || words_[at_] == rules_.separator; }

    bool has_lines() const { return rules_.separator == "\n"; }

    void read_segment(Segment& segment) {
        const size_t mistakes_before = made_.mistakes.size();
        read_options(segment);
        if (segment.asks_about_launch()) return;
        while (rules_.programs == Programs::none && at_ < words_.size()) {
            misread(no_place(words_[at_++]), mistakes_before);
            read_options(segment);
            if (segment.asks_about_launch()) return;
        }
        while (!at_end())
            segment.program.push_back(words_[at_++]);
        if (segment.program.empty() && !may_lack_program(segment))
            misread(no_program(segment), mistakes_before);
        if (!segment.program.empty() && segment.program.front().empty())
            misread(nameless_program(), made_.mistakes.size());
    }

    void read_options(Segment& segment) {
        while (!at_end() && (looks_like_option(words_[at_]) || is_job_file(words_[at_]))) {
            const std::string& word = words_[at_++];
            if (word == "--") return;
            auto read = is_job_file(word) ? take_job_file(word, segment)
                                          : read_option(take_apart(word, table_), segment);
            if (!read) misread(std::move(read.error()), made_.mistakes.size());
            if (segment.asks_about_launch()) return;
        }
    }

    /// A mistake that one before it in the same segment may have caused is not told: the words
    /// after an unknown option are perhaps its value.
    void misread(Error error, size_t mistakes_before) {
        made_.is_clear = false;
        if (made_.mistakes.size() == mistakes_before) add(std::move(error));
    }

    void add(Error error) {
        const size_t program = made_.segments.size() - 1;
        if (program < rules_.places.size())
            error.cause = rules_.places[program] + ": " + error.cause;
        made_.mistakes.add(with_page(std::move(error), rules_.page));
    }

    /// The output of --init and --schema depends on no other word: another word is an error, unless
    /// a word is wrong already.
    void check_alone(const Given& asked) {
        if (!asked.option->stands_alone() || words_.size() == 1) return;
        const auto& other = at_ < words_.size() ? words_[at_] : words_.front();
        misread(
            usage_error(asked.origin.name + " stands alone, it does not go with " + shown(other)),
            0);
    }

    /// Whether the segment that was read is all that there is.
    bool alone() const { return only_one_ && at_ == words_.size(); }

    bool may_lack_program(const Segment& segment) const {
        return alone() &&
               (rules_.programs == Programs::none || has_one(segment, &OptionRow::brings_program));
    }

    bool is_job_file(const std::string& word) const {
        return rules_.is_job_file && !looks_like_option(word) && rules_.is_job_file(word);
    }

    Status take_job_file(const std::string& word, Segment& segment) {
        const auto option = std::find_if(table_.begin(), table_.end(), [](const OptionRow* row) {
            return row->names_job_file();
        });
        return give({*option, word, {.layer = Layer::command_line, .name = word}}, segment);
    }

    Status give(Given given, Segment& segment) {
        if (given.option->names_job_file()) {
            if (!job_file_.empty())
                return usage_error("two job files, " + shown(job_file_) + " and " +
                                   shown(given.value) + ": give one of them");
            job_file_ = given.value;
        }
        if (auto objection = objection_to(given)) add(*std::move(objection));
        segment.options.push_back(std::move(given));
        return Ok{};
    }

    /// A job file that stands beside a program, between ':'. If it is not there, its name is
    /// probably not that of a job file.
    Error job_file_beside_program() const {
        if (rules_.job_file_fault)
            if (auto fault = rules_.job_file_fault(job_file_)) return *std::move(fault);
        auto error = usage_error("the job file " + shown(job_file_) +
                                 " cannot stand beside a program: it describes the whole job");
        error.hint = "see launch help job-files";
        return error;
    }

    /// An option whose value was forgotten has taken the program's name for it.
    Error no_program(const Segment& segment) const {
        if (has_one(segment, &OptionRow::names_job_file)) return job_file_beside_program();
        std::string cause = "no program to run";
        if (!has_lines() && !alone())
            cause = at_ == words_.size() ? "no program after ':'" : "no program before ':'";
        auto error = usage_error(std::move(cause));
        if (segment.options.empty()) return error;
        const auto& last = segment.options.back();
        if (last.option->is_pair() && !looks_like_option(words_[at_ - 1]) &&
            words_[at_ - 1].find('=') == std::string::npos)
            error.hint = shown(words_[at_ - 1]) + " was taken as the value of " + last.origin.name;
        const std::string_view usual = last.option->without_value;
        if (!usual.empty() && last.value != usual && words_[at_ - 1] == last.value)
            error.hint = shown(last.value) + " was taken as the value of " + last.origin.name +
                         "; if it is the program: " + last.origin.name + " -- " + shown(last.value);
        return error;
    }

    static Error no_place(const std::string& word) {
        return usage_error("only options and a job file may stand here, not " + shown(word));
    }

    static Error nameless_program() {
        auto error = usage_error("the program's name is empty");
        error.hint = "is a variable of the shell not set?";
        return error;
    }

    Status read_option(OptionWord word, Segment& segment) {
        const auto* option = word.option;
        if (option == nullptr) return pass_over(word);
        if (option->is_flag() && word.has_value)
            return usage_error(word.spelling + " takes no value");
        if (option->is_flag()) {
            word.value = word.negated ? "false" : "true";
        } else {
            auto read = read_value(word);
            if (!read) return read;
        }
        Origin origin{.layer = Layer::command_line, .name = std::move(word.spelling)};
        return give({option, std::move(word.value), std::move(origin)}, segment);
    }

    Status pass_over(const OptionWord& word) {
        const auto* foreign = find_foreign_option(word.spelling);
        if (word.has_value || foreign == nullptr || !foreign->passed_over)
            return unknown_option(word.spelling, table_);
        made_.notes.push_back(word.spelling + ": " + std::string(foreign->advice));
        return Ok{};
    }

    Status read_value(OptionWord& word) {
        const bool left_out = at_end() || looks_like_option(words_[at_]);
        if (!word.has_value && left_out && !word.option->without_value.empty()) {
            word.value = word.option->without_value;
            return Ok{};
        }
        if (!word.has_value) {
            if (at_end()) return missing(word);
            if (find_option(words_[at_], table_) != nullptr)
                return usage_error(needs(word) + ", not the option " + words_[at_]);
            word.value = words_[at_++];
        }
        if (word.value.empty()) return word.option->is_pair() ? no_name(word) : missing(word);
        return word.option->is_pair() ? read_pair(word) : Status(Ok{});
    }

    /// As "$UNSET" makes it. The value that follows is no program.
    Error no_name(const OptionWord& word) {
        if (at_end() || find_option(words_[at_], table_) != nullptr) return missing(word);
        ++at_;
        return usage_error(word.spelling + ": the name is empty");
    }

    /// NAME VALUE or, as Hydra also has it, NAME=VALUE. The second word may be anything but an
    /// option: then it is more likely that the value was forgotten.
    Status read_pair(OptionWord& word) {
        if (word.value.find('=') == std::string::npos) {
            if (at_ == words_.size() || (has_lines() && at_end())) return missing(word);
            if (find_option(words_[at_], table_) != nullptr) return option_for_value(word);
            word.value += '=' + words_[at_++];
        }
        return Ok{};
    }

    Error option_for_value(const OptionWord& word) const {
        auto error = usage_error(needs(word) + ", not the option " + words_[at_]);
        error.hint =
            "if that is the value: " + word.spelling + " " + shown(word.value) + "=" + words_[at_];
        return error;
    }

    static std::string needs(const OptionWord& word) {
        const bool pair = word.option->is_pair();
        return word.spelling + (pair ? " needs a name and a value: " : " needs a value: ") +
               std::string(word.option->metavar);
    }
    static Error missing(const OptionWord& word) { return usage_error(needs(word)); }

    const std::vector<std::string>& words_;
    const WordRules& rules_;
    OptionTable table_;
    size_t at_ = 0;
    bool only_one_ = true;  ///< no segment stands before the one that is read
    std::string job_file_;  ///< empty: none was met
    Scanned made_;
};

}  // namespace

bool Segment::asks_about_launch() const {
    return !options.empty() && options.back().option->asks_about_launch();
}

Scanned scan_all(const std::vector<std::string>& words, const WordRules& rules) {
    return Scanner(words, rules).run();
}

}  // namespace launch
