#include "support/allocations.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

struct Count {
  bool on = false;
  std::size_t largest = 0;
  std::size_t live = 0;
  std::size_t peak = 0;
};

thread_local Count count;

}  // namespace

// The library's other forms of new call this one, those of delete the one below.
void* operator new(std::size_t size) {
  void* memory = std::malloc(std::max<std::size_t>(size, 1));
  if (memory == nullptr) throw std::bad_alloc();
  if (count.on) {
    count.largest = std::max(count.largest, size);
    count.live += ::malloc_usable_size(memory);
    count.peak = std::max(count.peak, count.live);
  }
  return memory;
}

void operator delete(void* memory) noexcept {
  if (count.on && memory != nullptr) count.live -= std::min(count.live, ::malloc_usable_size(memory));
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace oblea::test {

AllocationWatch::AllocationWatch() { count = {true, 0, 0, 0}; }
AllocationWatch::~AllocationWatch() { count.on = false; }
std::size_t AllocationWatch::largest() const { return count.largest; }
std::size_t AllocationWatch::peak() const { return count.peak; }

}  // namespace oblea::test
