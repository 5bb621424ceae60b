import Glibc
import KioskCommands

exit(KioskProgram.main(Array(CommandLine.arguments.dropFirst())))
