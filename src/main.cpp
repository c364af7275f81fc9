#include "cli/run.hpp"

int main(int argument_count, char** arguments) { return oblea::run(argument_count, arguments); }
