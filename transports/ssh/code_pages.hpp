#pragma once

namespace launch {

/// Lets go of all code of this process: 5 MB of program and libraries that one step of a start
/// after another maps and the next needs only in part. The kernel maps again what runs, from its
/// cache, in a fraction of a millisecond. From any thread.
void release_code_pages();

/// The same where the process has become large, else next to nothing: between two steps of each
/// start. A relay with 32 children is to stay below 8 MB.
void limit_code_pages();

}  // namespace launch
