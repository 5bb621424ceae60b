// Filled by the work on MachineTests.
