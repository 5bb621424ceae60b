import TestSupport

extension RunningProgram {
    /// Peak resident memory so far, in MiB.
    var peakMemory: Double { Double(peakKilobytes) / 1_024 }

    /// Resident memory now, in MiB.
    var presentMemory: Double { Double(residentKilobytes) / 1_024 }
}
