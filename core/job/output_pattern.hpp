// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// The parts of a pattern's text.
enum class OutputField : uint8_t {
    text,
    rank,
    local_rank,
    size,  ///< of the job
    host,  ///< as it was named
    short_host,
    node,  ///< the number of the host in the job
    program,
    stream,  ///< "out" or "err"
    job,
    date,
    time,
};

/// The values with which a pattern is filled in.
struct OutputFields {
    uint32_t rank = 0;
    uint32_t space = 0;  ///< of processes that a rank asked for, whose rank is 1.0
    uint32_t local_rank = 0;
    uint32_t size = 1;
    uint32_t node = 0;
    uint32_t program = 0;
    std::string_view host;
    std::string_view job;
    std::string_view stream;
};

/// The text before a line of output, or the path of its file, with fields in it:
///
///     %r %t   %{rank}        the rank            (Hydra and PRRTE: %r, Slurm: %t)
///     %R                     the same with zeros, so that names sort (PRRTE)
///     %l      %{local-rank}  among the ranks of its host
///     %h      %{host}        its host, as it was named (Hydra, PRRTE)
///     %N      %{short-host}  the same up to the first dot (Slurm)
///     %p      %{node}        the number of the host (Hydra)
///     %j      %{job}         the job's id (Slurm)
///     %{program} %{stream} %{size} %{date} %{time}, and %% for %
///
/// Of a number, digits after the % are its least width, as in Slurm: %4t is 0007. Letters by
/// which other launchers mean different things (%n, %s) are none here.
class OutputPattern {
  public:
    /// The mistake in the text as a clause, or an empty string when `pattern` was filled.
    static std::string read(std::string_view text, OutputPattern& pattern);

    bool has(OutputField field) const;
    /// Date and time are left out.
    std::string fill(const OutputFields& fields) const;

    struct Part {
        OutputField field = OutputField::text;
        std::string text = {};
        size_t width = 0;       ///< of a number; 0: as it is
        bool fits_all = false;  ///< as wide as the largest of them is
    };
    const std::vector<Part>& parts() const { return parts_; }
    static std::string fill(const Part& part, const OutputFields& fields);

  private:
    std::vector<Part> parts_;
};

/// A text without fields, as a pattern.
std::string literal_pattern(std::string_view text);

}  // namespace launch
