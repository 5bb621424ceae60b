// Filled by the work on MachineKey.
