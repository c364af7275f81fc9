// Allocations: what a stretch of code takes from the heap: its largest piece, and how much of it stands at once.
#pragma once

#include <cstddef>

namespace oblea::test {

// Counts between construction and destruction, in this thread. One at a time.
class AllocationWatch {
 public:
  AllocationWatch();
  ~AllocationWatch();
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  std::size_t largest() const;
  std::size_t peak() const;
};

}  // namespace oblea::test
