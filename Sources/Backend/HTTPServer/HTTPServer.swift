// Filled by the work on HTTPServer.
