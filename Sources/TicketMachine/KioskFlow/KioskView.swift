public import Reservations

/// What the screens show of the machine: its state and what it knows.
public struct KioskView: Hashable, Sendable {
    public var state: KioskState
    public var service: ServiceState
    public var access: AccessState
    public var shop: MachineProfile?
    public var printer: PrinterCondition
    public var isReaderThere: Bool
    /// What maintenance mode shows; nil until it is known.
    public var staffFacts: StaffFacts?
    /// What the staff has set for all customers.
    public var settings: MachineSettings
}
