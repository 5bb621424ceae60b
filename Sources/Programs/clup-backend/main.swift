import BackendCommands

BackendProgram.main(Array(CommandLine.arguments.dropFirst()))
