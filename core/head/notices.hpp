#pragma once

#include <string>
#include <utility>
#include <vector>

namespace launch {

/// What hosts have to say that does not end the job. Many say the same: it is told once, folded.
class Notices {
  public:
    /// `host`: empty where none is meant.
    void add(std::string text, std::string host);
    /// The lines (without "launch: ") of what was added since.
    std::vector<std::string> take();

  private:
    std::vector<std::pair<std::string, std::string>> notices_;
};

}  // namespace launch
