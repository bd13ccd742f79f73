// SPDX-License-Identifier: MIT
#include "core/process/munge.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <unistd.h>

#include "core/base/library.hpp"

namespace launch {
namespace {

/// As munge.h has them: they are part of the library's interface, which is libmunge.so.2.
constexpr int uid_restriction = 9;
constexpr int good = 0;
/// The text is there, and was read before or long after it was sealed: it is a secret all the same.
constexpr auto late = std::to_array({15, 16, 17});
constexpr std::string_view first_letters = "MUNGE:";

struct FreeText {
    void operator()(void* text) const { free(text); }
};

class LibMunge {
  public:
    static const LibMunge& get() {
        static const LibMunge library;
        return library;
    }

    bool is_open() const { return is_open_; }
    std::string why_not() const { return library_.why_not(); }

    void* (*create)() = nullptr;
    void (*destroy)(void* context) = nullptr;
    int (*set)(void* context, int option, ...) = nullptr;
    int (*encode)(char** credential, void* context, const void* text, int size) = nullptr;
    int (*decode)(const char* credential, void* context, void** text, int* size, uid_t* user,
                  gid_t* group) = nullptr;
    const char* (*text_of)(int error) = nullptr;

  private:
    LibMunge() : library_("libmunge.so.2") {
        is_open_ = library_.load(create, "munge_ctx_create") &&
                   library_.load(destroy, "munge_ctx_destroy") &&
                   library_.load(set, "munge_ctx_set") && library_.load(encode, "munge_encode") &&
                   library_.load(decode, "munge_decode") &&
                   library_.load(text_of, "munge_strerror");
    }

    Library library_;
    bool is_open_ = false;
};

Error not_opened(std::string cause) {
    Error error;
    error.operation = "open a MUNGE credential";
    error.cause = std::move(cause);
    error.hint = "is munged running there, with the key of this cluster?";
    return error;
}

}  // namespace

std::optional<std::string> munge_sealed(std::string_view text) {
    const LibMunge& munge = LibMunge::get();
    if (!munge.is_open()) return std::nullopt;
    const std::unique_ptr<void, void (*)(void*)> context(munge.create(), munge.destroy);
    char* credential = nullptr;
    if (!context || munge.set(context.get(), uid_restriction, geteuid()) != good)
        return std::nullopt;
    const int error =
        munge.encode(&credential, context.get(), text.data(), static_cast<int>(text.size()));
    const std::unique_ptr<char, FreeText> owned(credential);
    if (error != good || credential == nullptr) return std::nullopt;
    return std::string(credential);
}

bool is_munge_sealed(std::string_view line) {
    return line.starts_with(first_letters);
}

Result<std::string> munge_opened(const std::string& line) {
    const LibMunge& munge = LibMunge::get();
    if (!munge.is_open()) return not_opened(munge.why_not());
    void* text = nullptr;
    int size = 0;
    uid_t user = 0;
    gid_t group = 0;
    const int error = munge.decode(line.c_str(), nullptr, &text, &size, &user, &group);
    const std::unique_ptr<void, FreeText> owned(text);
    const bool is_late = std::find(late.begin(), late.end(), error) != late.end();
    if ((error != good && !is_late) || text == nullptr) return not_opened(munge.text_of(error));
    if (user != geteuid()) return not_opened("the credential belongs to another user");
    return std::string(static_cast<const char*>(text), static_cast<size_t>(size));
}

}  // namespace launch
