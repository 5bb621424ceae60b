import BackendCommands
import Glibc

exit(BackendProgram.main(Array(CommandLine.arguments.dropFirst())))
