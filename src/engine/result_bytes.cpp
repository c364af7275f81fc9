#include "engine/result_bytes.hpp"

#include <cstring>
#include <type_traits>

namespace oblea {
namespace {

class Writer {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(values.size());
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  template <class T>
  void operator()(T& value) {
    take(&value, sizeof value);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::size_t count = 0;
    (*this)(count);
    if (count > left_.size() / sizeof(T)) whole_ = false;
    if (!whole_) return;
    values.resize(count);
    take(values.data(), count * sizeof(T));
  }
  bool is_whole() const { return whole_ && left_.empty(); }

 private:
  void take(void* target, std::size_t size) {
    if (size > left_.size()) whole_ = false;
    if (!whole_ || size == 0) return;
    std::memcpy(target, left_.data(), size);
    left_.remove_prefix(size);
  }
  std::string_view left_;
  bool whole_ = true;
};

template <class Visitor, class R>
void visit_times(Visitor& visitor, R& times) {
  visitor(times.begin_s);
  visitor(times.end_s);
  visitor(times.bytes);
}

template <class Visitor, class R>
void visit_result(Visitor& visitor, R& result) {
  visitor(result.requests);
  visitor(result.end_s);
  visitor(result.stage_work_s);
  visitor(result.stage_prompt_s);
  visitor(result.stage_network_s);
  visitor(result.link_bytes_s);
  visitor(result.overhead_s);
  visitor(result.iterations);
  visitor(result.steps);
  visitor(result.preemptions);
  visitor(result.prompt_tokens);
  visitor(result.output_tokens);
  visitor(result.discarded_tokens);
  visitor(result.cache_tokens_peak);
  visitor(result.replica_busy_s);
  visitor(result.replica_down_s);
  visitor(result.shut_down_s);
  visitor(result.look_s);
  visitor(result.samples);
  visitor(result.handover_s);
  visitor(result.requests_in_system_s);
  visitor(result.timeline);
}

}  // namespace

std::string to_bytes(const EngineResult& result) {
  Writer writer;
  visit_result(writer, result);
  return std::move(writer.bytes);
}

std::string to_bytes(const TransferTimes& times) {
  Writer writer;
  visit_times(writer, times);
  return std::move(writer.bytes);
}

Result<EngineResult> result_from_bytes(std::string_view bytes) {
  EngineResult result;
  Reader reader(bytes);
  visit_result(reader, result);
  if (!reader.is_whole()) return fail("the result of the run is cut short");
  return result;
}

Result<TransferTimes> times_from_bytes(std::string_view bytes) {
  TransferTimes times;
  Reader reader(bytes);
  visit_times(reader, times);
  if (!reader.is_whole()) return fail("the times of the transfers are cut short");
  return times;
}

}  // namespace oblea
