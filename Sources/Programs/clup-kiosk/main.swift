import Glibc

exit(CommandLine.run())
