exit(CommandLine.run())
