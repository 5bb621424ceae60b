public import KioskFlow

/// The people of maintenance mode, the machine's events and settings, and what remote management must remember: a file
/// that survives a restart. Every write is on disk when it returns; every call throws if the disk refuses it.
public protocol StaffPort: Sendable {
    /// Checks a PIN against those of all staff members, or only against that of a badge's holder; the attempt is
    /// counted on disk before the check.
    func check(_ pin: String, holder: String?) async -> PINAnswer
    /// How a PIN of any staff member, or of a badge's holder, would be refused now; nil if it would be checked.
    func availabilityAnswer(of holder: String?) async -> PINAnswer?
    /// The holder of a badge; nil if no person has it, or if the holder is locked.
    func holder(of badge: StaffBadge) async throws -> StaffPerson?
    /// Resets all counts of wrong PINs.
    func unlock() throws
    /// All staff members by name.
    func members() async throws -> [StaffMember]
    /// Carries out a manager's command; only some commands use the PIN.
    func change(_ command: StaffListCommand, pin: String) async -> StaffCommandAnswer
    /// Writes an event down.
    func note(_ event: MachineEvent) throws
    /// The last events, newest first.
    func events(_ count: Int) async throws -> [MachineEvent]
    /// The oldest events that the backend does not have, at most `count`, with the time of the shop's clock, whose
    /// offset is east of Greenwich.
    func unsent(_ count: Int, offsetMinutes: Int) async throws -> UnsentEvents
    /// Records that the backend has the events up to this one.
    func sent(through: Int64) async throws
    /// The last remote commands that were carried out.
    func acknowledged() throws -> [Int64]
    /// Remembers that a remote command was carried out.
    func keepAcknowledged(_ order: Int64) throws
    /// The last decision about the machine's service.
    func service() throws -> ServiceStatus
    func keep(_ service: ServiceStatus) throws
    /// What the staff has set; what was never set has the program's default.
    func settings() throws -> MachineSettings
    func keep(_ settings: MachineSettings) throws
}
