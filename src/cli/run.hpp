// The command line: parse, open, call the library, print. Exit codes: 0 answered, 1 a verdict named in --fail-on,
// 2 bad input, 3 environment.
#pragma once

namespace oblea {

int run(int argument_count, char** arguments);

}  // namespace oblea
