// A real Prometheus takes in what the writer writes, and answers with the same numbers.
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/grafana_dashboard.hpp"
#include "io/openmetrics_file.hpp"
#include "support/run_command.hpp"
#include "support/sensor_example.hpp"
#include "support/temporary_folder.hpp"

extern char** environ;

namespace oblea {
namespace {

using Json = nlohmann::json;

constexpr double kStartLimit = 10;  // seconds until Prometheus answers; it takes less than one

bool is_installed(const char* program) {
  return test::run_command({"sh", "-c", "command -v " + std::string(program)}).exit_code == 0;
}

sockaddr_in local_address(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// A port that was free a moment ago.
int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = local_address(0);
  socklen_t length = sizeof address;
  const bool is_bound = ::bind(descriptor, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                        ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  ::close(descriptor);
  if (!is_bound) throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

std::string percent_encoded(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      result += c;
    else
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

// The body of the answer to a GET, or nothing where nobody answers with 200.
std::optional<std::string> get(int port, const std::string& path) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval limit{5, 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  const sockaddr_in address = local_address(port);
  std::string text;
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    const std::string request = "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
    if (::send(descriptor, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
      char buffer[4096];
      for (ssize_t n = 0; (n = ::recv(descriptor, buffer, sizeof buffer, 0)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(n));
      }
    }
  }
  ::close(descriptor);
  const std::size_t body = text.find("\r\n\r\n");
  if (body == std::string::npos || text.compare(0, 5, "HTTP/") != 0 || text.compare(9, 3, "200") != 0)
    return std::nullopt;
  return text.substr(body + 4);
}

// Over a data folder that is made ready; gone with the test.
class Prometheus {
 public:
  Prometheus(const test::TemporaryFolder& folder, const std::string& data) : port_(free_port()) {
    const std::string log = folder.path("prometheus.log");
    const std::vector<std::string> words = {"prometheus", "--config.file=" + folder.write("prometheus.yml", ""),
                                            "--storage.tsdb.path=" + data, "--storage.tsdb.retention.time=100y",
                                            fmt::format("--web.listen-address=127.0.0.1:{}", port_)};
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    const int error = ::posix_spawnp(&process_, "prometheus", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("prometheus does not start");
  }
  ~Prometheus() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Prometheus(const Prometheus&) = delete;
  Prometheus& operator=(const Prometheus&) = delete;

  bool is_ready() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kStartLimit);
    while (!get(port_, "/-/ready")) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
  }

  // The series that match, as "data.result" of the HTTP API has them.
  Json query(const std::string& expression, double time_s) const {
    const std::optional<std::string> body =
        get(port_, fmt::format("/api/v1/query?query={}&time={:.3f}", percent_encoded(expression), time_s));
    return body ? Json::parse(*body)["data"]["result"] : Json();
  }

 private:
  int port_;
  pid_t process_ = -1;
};

TEST(PrometheusAcceptance, ShowsEverySampleOfARigThatIsNotBuilt) {
  if (!is_installed("promtool") || !is_installed("prometheus"))
    GTEST_SKIP() << "Debian's package prometheus is not installed";
  const test::TemporaryFolder folder;
  const TimeSeries rig = test::rig_time_series();
  const std::string file = folder.write("rig.openmetrics", write_openmetrics(rig, test::kRigBegin));
  const std::string data = folder.path("data");
  const test::CommandResult blocks =
      test::run_command({"promtool", "tsdb", "create-blocks-from", "openmetrics", file, data});
  ASSERT_EQ(blocks.exit_code, 0) << blocks.err;

  const Prometheus prometheus(folder, data);
  ASSERT_TRUE(prometheus.is_ready()) << test::read_file(folder.path("prometheus.log"));
  for (const MetricFamily& family : rig) {
    for (const Series& series : family.series) {
      std::string selector;
      Json expected = {{"__name__", family.name}};
      for (const Label& label : series.labels) {
        selector += fmt::format("{}{}=\"{}\"", selector.empty() ? "" : ",", label.name, label.value);
        expected[label.name] = label.value;
      }
      for (const Sample& sample : series.samples) {
        const Json found = prometheus.query(family.name + "{" + selector + "}", test::kRigBegin + sample.time_s);
        ASSERT_EQ(found.size(), 1u) << family.name << " " << selector;
        EXPECT_EQ(found[0]["metric"], expected);
        EXPECT_EQ(std::stod(found[0]["value"][1].get<std::string>()), sample.value) << family.name;
      }
    }
  }

  const Json dashboard = Json::parse(write_grafana_dashboard("Rig", test::kRigBegin, test::kRigBegin + 61));
  for (const Json& panel : dashboard["panels"]) {
    for (const Json& target : panel["targets"]) {
      EXPECT_FALSE(prometheus.query(target["expr"], test::kRigBegin + 61).empty()) << target["expr"];
    }
  }
}

TEST(PrometheusAcceptance, ALabelOfAnyTextComesBackAsItWas) {
  if (!is_installed("promtool") || !is_installed("prometheus"))
    GTEST_SKIP() << "Debian's package prometheus is not installed";
  const test::TemporaryFolder folder;
  const std::string odd = "C:\\models \"70B\"\nñ=1,{x}";
  const TimeSeries series = {
      {"oblea_wall_watts", "A \\ and a \" and\na line.", "watts", {{{{"model", odd}}, {{0, 1e-7}}}}}};
  const std::string file = folder.write("odd.openmetrics", write_openmetrics(series, test::kRigBegin));
  const std::string data = folder.path("data");
  ASSERT_EQ(test::run_command({"promtool", "tsdb", "create-blocks-from", "openmetrics", file, data}).exit_code, 0);
  const Prometheus prometheus(folder, data);
  ASSERT_TRUE(prometheus.is_ready()) << test::read_file(folder.path("prometheus.log"));
  const Json found = prometheus.query("oblea_wall_watts", test::kRigBegin);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["metric"]["model"], odd);
  EXPECT_EQ(std::stod(found[0]["value"][1].get<std::string>()), 1e-7);
}

}  // namespace
}  // namespace oblea
