import Glibc

exit(EscposBackend.run(CommandLine.arguments))
