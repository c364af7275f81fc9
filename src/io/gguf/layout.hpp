// Where the data of a GGUF file's tensors lie: the bytes of each, and whether they fit each other and the file.
#pragma once

#include "io/gguf/header.hpp"
#include "io/gguf/reader.hpp"

namespace oblea {

// Sets `bytes` of every tensor and `missing_bytes`. The bytes of a type without a name are what lies before the next
// tensor, with a warning. Faults go to the reader: rows that are no whole blocks, offsets off the alignment, tensors
// that overlap, tensors that lie beyond the end of the file unless all of them follow each other without a gap, as in
// a file whose download has not ended.
void lay_out_tensors(GgufHeader& header, GgufReader& reader, Diagnostics& warnings);

}  // namespace oblea
