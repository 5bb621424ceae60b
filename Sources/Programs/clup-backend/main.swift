BackendProgram.main(Array(CommandLine.arguments.dropFirst()))
