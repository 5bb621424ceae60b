import CommandSyntax
import Cryptography
import Glibc
import Reservations

/// `clup-backend`: finds the command and turns every failure into one sentence and a status.
public enum BackendProgram {
    static let commands: [Command] = [
        .serve, .key, .shopAdd, .shopChange, .shopList, .shopPoster, .shopExceptionAdd,
        .shopExceptionRemove, .shopStaffPIN,
        .machineAdd, .machinePair, .machineList, .machineShow, .machineOutOfService,
        .machineInService, .machineRestart, .machineRotate, .machineUnlock, .machineTestPrint,
        .machineLogs, .machineRevoke, .deviceAdd, .devicePair, .deviceList, .deviceRevoke,
        .holderList, .holderUnblock, .holderForget, .orderAdd, .orderImport, .orderList,
        .orderCancel, .orderSourceAdd, .orderSourceList, .orderSourceRevoke, .auditList,
        .auditVerify, .estimate,
        .reportAccuracy, .reportDays, .reportHours,
        .reportHelp, .reportOrders, .reportNotices, .reportSMS, .reportSlots, .reportPage,
        .proxyCheck,
        .databaseBackup,
        .databaseRestore,
        .databaseCopy,
        .databaseCheck,
        .databasePrune,
    ]

    /// Runs the command that the words name; answers the exit status.
    public static func main(_ words: [String]) -> Int32 {
        // A reader of the output may close it, which must not end the program.
        signal(SIGPIPE, SIG_IGN)
        let program = Program(
            "clup-backend", "the service behind CLup's ticket machines",
            version: ProductVersion.current,
            commands: commands
        ) {
            try Cryptography.hideProcess()
            try Cryptography.start()
        }
        return program.run(words).rawValue
    }
}
