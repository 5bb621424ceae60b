public import KioskFlow
internal import Reservations
internal import RowColumns

// The events of the machine, and whether the staff wants it out of service.
extension StaffStore {
    /// The events of a few months of a quiet machine, or of a day with many faults.
    static let maxEvents = 1_000
    /// More remote commands than can be open at once, which is one of each kind.
    static let maxAcknowledged = 8

    /// Writes an event down; the oldest are deleted beyond `maxEvents`.
    public func note(_ event: MachineEvent) throws(StaffError) {
        let (kind, detail) = event.what.text
        try perform { connection in
            try connection.transaction {
                try connection.run(
                    "INSERT INTO event (at_ms, person, kind, detail) "
                        + "VALUES ($at, $person, $kind, $detail)",
                    [
                        "$at": .integer(event.at.milliseconds),
                        "$person": event.person.map { .text($0) } ?? .null,
                        "$kind": .text(kind), "$detail": .text(String(detail.prefix(200))),
                    ])
                try connection.run(
                    "DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - $most",
                    ["$most": .integer(Int64(Self.maxEvents))])
            }
        }
    }

    private enum EventColumn: Int, SelectedColumn { case id, atMs, person, kind, detail }

    public func events(_ count: Int) throws(StaffError) -> [MachineEvent] {
        try perform { connection in
            try connection.rows(
                "SELECT \(EventColumn.list) FROM event ORDER BY id DESC LIMIT $count",
                ["$count": .integer(Int64(count))]
            ) { columns in
                let row = Row<EventColumn>(columns)
                return MachineEvent(
                    at: Moment(milliseconds: row.integer(.atMs)), person: row.optionalText(.person),
                    what: MachineEvent.What(kind: row.text(.kind), detail: row.text(.detail)))
            }
        }
    }

    public func unsent(
        _ count: Int, offsetMinutes: Int
    ) throws(StaffError) -> UnsentEvents {
        try perform { connection in
            let sending = try connection.rows("SELECT memory, through FROM sending") {
                ($0.text(0), $0.integer(1))
            }.first
            var unsent = UnsentEvents(memory: sending?.0 ?? "", through: sending?.1 ?? 0)
            unsent.events = try connection.rows(
                "SELECT \(EventColumn.list) FROM event WHERE id > $through "
                    + "ORDER BY id LIMIT $count",
                ["$through": .integer(unsent.through), "$count": .integer(Int64(count))]
            ) { columns in
                let row = Row<EventColumn>(columns)
                let at = Moment(milliseconds: row.integer(.atMs))
                return MachineEventReport(
                    sequence: row.integer(.id), at: LocalMoment(at, offsetMinutes: offsetMinutes),
                    person: row.optionalText(.person), kind: row.text(.kind),
                    detail: row.text(.detail))
            }
            // The numbers have no gaps, unless the oldest events were deleted.
            unsent.dropped =
                unsent.events.first.map { Int($0.sequence - 1 - unsent.through) } ?? 0
            return unsent
        }
    }

    public func sent(through: Int64) throws(StaffError) {
        _ = try perform { connection in
            try connection.run(
                "UPDATE sending SET through = $through", ["$through": .integer(through)])
        }
    }

    public func acknowledged() throws(StaffError) -> [Int64] {
        try perform { connection in
            try connection.rows("SELECT id FROM obeyed ORDER BY id") { $0.integer(0) }
        }
    }

    /// The oldest are deleted beyond `maxAcknowledged`.
    public func keepAcknowledged(_ order: Int64) throws(StaffError) {
        try perform { connection in
            try connection.transaction {
                try connection.run(
                    "INSERT INTO obeyed (id) VALUES ($id) ON CONFLICT (id) DO NOTHING",
                    ["$id": .integer(order)])
                try connection.run(
                    "DELETE FROM obeyed WHERE id NOT IN "
                        + "(SELECT id FROM obeyed ORDER BY id DESC LIMIT $most)",
                    ["$most": .integer(Int64(Self.maxAcknowledged))])
            }
        }
    }

    public func service() throws(StaffError) -> ServiceStatus {
        try perform { connection in
            try connection.rows("SELECT is_out, message, decided_ms FROM service") { row in
                ServiceStatus(
                    isPutOut: row.integer(0) != 0, message: row.isNull(1) ? nil : row.text(1),
                    at: row.isNull(2) ? nil : Moment(milliseconds: row.integer(2)))
            }.first ?? ServiceStatus()
        }
    }

    public func keep(_ service: ServiceStatus) throws(StaffError) {
        _ = try perform { connection in
            try connection.run(
                "UPDATE service SET is_out = $out, message = $message, decided_ms = $at",
                [
                    "$out": .integer(service.isPutOut ? 1 : 0),
                    "$message": service.message.map { .text($0) } ?? .null,
                    "$at": service.at.map { .integer($0.milliseconds) } ?? .null,
                ])
        }
    }

    public func settings() throws(StaffError) -> MachineSettings {
        let values = try perform { connection in
            try connection.rows("SELECT name, value FROM setting") { ($0.text(0), $0.text(1)) }
        }
        let kept = Dictionary(values) { $1 }
        func number(_ name: String) -> Int? { kept[name].flatMap { Int($0) } }
        let usual = MachineSettings()
        return MachineSettings(
            volume: number("volume") ?? usual.volume, hasLightTheme: number("light") == 1,
            printer: number("printer") ?? usual.printer,
            language: kept["language"].flatMap { $0.isEmpty ? nil : $0 })
    }

    public func keep(_ settings: MachineSettings) throws(StaffError) {
        try perform { connection in
            try connection.transaction {
                let values: [(name: String, value: DatabaseValue)] = [
                    ("volume", .integer(Int64(settings.volume))),
                    ("light", .integer(settings.hasLightTheme ? 1 : 0)),
                    ("printer", .integer(Int64(settings.printer))),
                    ("language", .text(settings.language ?? "")),
                ]
                for (name, value) in values {
                    try connection.run(
                        "INSERT INTO setting (name, value) VALUES ($name, $value) "
                            + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                        ["$name": .text(name), "$value": value])
                }
            }
        }
    }
}
