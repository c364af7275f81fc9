// A made-up libnvidia-ml: answers from the file that $OBLEA_FAKE_NVML names, read at nvmlInit. One line each:
//   init 18                          what nvmlInit_v2 returns (0)
//   driver 550.54.14
//   gpu NAME|memory bytes|bus id|device and vendor, hex|gen now|gen most|lanes now|lanes most|mW|mW by
//   default|MIG|links peer 0 1 2                       from, to, how (0: read over PCIe, 2: NVLink): yes
// A field "-" answers "not supported".
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

enum Field {
  kName,
  kMemory,
  kBusId,
  kPciId,
  kGenNow,
  kGenMax,
  kLanesNow,
  kLanesMax,
  kLimit,
  kDefaultLimit,
  kMig,
  kLinks,
  kFields
};
constexpr int kNotSupported = 3;

struct Table {
  int init = 0;
  std::string driver = "-";
  std::vector<std::vector<std::string>> gpus;
  std::set<std::tuple<int, int, int>> peers;
};

Table table;

void read_table() {
  table = {};
  const char* path = std::getenv("OBLEA_FAKE_NVML");
  std::ifstream file(path == nullptr ? "" : path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key >> std::ws;
    if (key == "init") words >> table.init;
    if (key == "driver") std::getline(words, table.driver);
    if (key == "gpu") {
      std::vector<std::string> fields;
      for (std::string field; std::getline(words, field, '|');) fields.push_back(field);
      fields.resize(kFields, "-");
      table.gpus.push_back(fields);
    }
    int from = 0, to = 0, how = 0;
    if (key == "peer" && words >> from >> to >> how) table.peers.insert({from, to, how});
  }
}

std::size_t index_of(void* device) { return reinterpret_cast<std::size_t>(device) - 1; }
const std::string& field_of(void* device, Field field) { return table.gpus.at(index_of(device))[field]; }

int number(void* device, Field field, unsigned* value) {
  const std::string& text = field_of(device, field);
  if (text == "-") return kNotSupported;
  *value = static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10));
  return 0;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  read_table();
  return table.init;
}
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int code) {
  return code == 18 ? "Driver/library version mismatch" : code == 9 ? "Driver Not Loaded" : "Unknown Error";
}
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  std::snprintf(text, length, "%s", table.driver.c_str());
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(table.gpus.size());
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (table.gpus.at(index)[kName] == "lost") return 15;  // NVML_ERROR_GPU_IS_LOST
  *device = reinterpret_cast<void*>(static_cast<std::size_t>(index) + 1);
  return 0;
}
int nvmlDeviceGetName(void* device, char* text, unsigned length) {
  std::snprintf(text, length, "%s", field_of(device, kName).c_str());
  return 0;
}
struct FakeMemory {
  unsigned long long total, free, used;
};
int nvmlDeviceGetMemoryInfo(void* device, FakeMemory* memory) {
  const std::string& text = field_of(device, kMemory);
  if (text == "-") return kNotSupported;
  memory->total = std::strtoull(text.c_str(), nullptr, 10);
  return 0;
}
struct FakePci {
  char bus_id_legacy[16];
  unsigned domain, bus, device, pci_device_id, pci_subsystem_id;
  char bus_id[32];
};
int nvmlDeviceGetPciInfo_v3(void* device, FakePci* pci) {
  pci->pci_device_id = static_cast<unsigned>(std::strtoul(field_of(device, kPciId).c_str(), nullptr, 16));
  std::snprintf(pci->bus_id, sizeof pci->bus_id, "%s", field_of(device, kBusId).c_str());
  return 0;
}
int nvmlDeviceGetCurrPcieLinkGeneration(void* device, unsigned* value) { return number(device, kGenNow, value); }
int nvmlDeviceGetMaxPcieLinkGeneration(void* device, unsigned* value) { return number(device, kGenMax, value); }
int nvmlDeviceGetCurrPcieLinkWidth(void* device, unsigned* value) { return number(device, kLanesNow, value); }
int nvmlDeviceGetMaxPcieLinkWidth(void* device, unsigned* value) { return number(device, kLanesMax, value); }
int nvmlDeviceGetPowerManagementLimit(void* device, unsigned* value) { return number(device, kLimit, value); }
int nvmlDeviceGetPowerManagementDefaultLimit(void* device, unsigned* value) {
  return number(device, kDefaultLimit, value);
}
int nvmlDeviceGetMigMode(void* device, unsigned* now, unsigned* pending) {
  *pending = 0;
  return number(device, kMig, now);
}
int nvmlDeviceGetNvLinkState(void* device, unsigned link, int* active) {
  unsigned links = 0;
  if (number(device, kLinks, &links) != 0) return kNotSupported;
  *active = link < links ? 1 : 0;
  return 0;
}
int nvmlDeviceGetP2PStatus(void* from, void* to, int how, int* status) {
  const bool yes = table.peers.contains({static_cast<int>(index_of(from)), static_cast<int>(index_of(to)), how});
  *status = yes ? 0 : 1;
  return 0;
}

}  // extern "C"
