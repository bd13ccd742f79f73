// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/guide/document.hpp"
#include "cmd/options/table.hpp"
#include "core/base/error.hpp"

namespace launch::guide {

/// Tables that the program itself knows best.
struct Known {
    OptionTable options;
    std::vector<Table::Row> topics;  ///< name and summary
};

/// Whether a directive of the document, not yet expanded, has this option in full.
bool tells_of(const Document& document, const OptionRow& option);

/// "-n, -np, --ranks N".
std::string all_names(const OptionRow& option);

/// The document with other blocks in place of each directive:
///   @options NAMES   these options with all their names and what the manual says of them
///   @brief NAMES     the same on a line each, by their first and their long name
///   @list NAMES      the same with all their names
///   @topics          the names of all topics;  @summaries: with what each is about
///   @usage NAME      how the command of that name and its verbs are written; `all`: every command
/// NAMES are options as users write them, or `all`, with the headings of
/// their groups if there are several.
Result<Document> expand(Document document, const Known& known);

/// All that there is to know of one option (option_page.cpp). `topics`: those that tell of it.
Result<Document> option_page(const OptionRow& option, const std::vector<std::string>& topics);

}  // namespace launch::guide
