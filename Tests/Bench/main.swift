BenchProgram.main(Array(CommandLine.arguments.dropFirst()))
