// Transcripts: the console blocks of a Markdown file, each command with the output that is shown beneath it.
#pragma once

#include <string>
#include <vector>

namespace oblea::test {

struct Transcript {
  int line = 0;                     // of the command, from 1
  std::string command;              // without "$ "
  std::vector<std::string> output;  // "..." stands for any number of lines
};

// Every "$ ..." line of every ```console block.
std::vector<Transcript> read_transcripts(const std::string& markdown);

// The words of a command line: quotes group, nothing else is special.
std::vector<std::string> split_words(const std::string& command);

// Does the text match the lines shown? Spaces at the ends of lines do not count.
bool output_matches(const std::vector<std::string>& shown, const std::string& actual);

// The Markdown with the output of one transcript replaced by `actual`, whole.
std::string with_output(const std::string& markdown, const Transcript& transcript, const std::string& actual);

}  // namespace oblea::test
