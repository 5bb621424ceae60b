public import KioskFlow
internal import Reservations
internal import SQLite

// What happened and what was done, and whether the staff wants the machine out of service.
extension StaffStore {
    /// A few months of a quiet machine, a day of a very bad one.
    static let mostEvents = 1_000

    /// Writes an event down; the oldest give way.
    public func note(_ event: MachineEvent) throws(StaffError) {
        try perform { connection in
            try connection.transaction {
                try connection.run(
                    "INSERT INTO event (at_ms, person, kind, detail) "
                        + "VALUES ($at, $person, $kind, $detail)",
                    [
                        "$at": .integer(event.at.milliseconds),
                        "$person": event.person.map { .text($0) } ?? .null,
                        "$kind": .text(event.kind.rawValue),
                        "$detail": .text(String(event.detail.prefix(200))),
                    ])
                try connection.run(
                    "DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - $most",
                    ["$most": .integer(Int64(Self.mostEvents))])
            }
        }
    }

    /// The last ones, newest first.
    public func events(_ count: Int) throws(StaffError) -> [MachineEvent] {
        try perform { connection in
            try connection.rows(
                "SELECT at_ms, person, kind, detail FROM event ORDER BY id DESC LIMIT $count",
                ["$count": .integer(Int64(count))]
            ) { row in
                MachineEvent.Kind(rawValue: row.text(2)).map {
                    MachineEvent(
                        at: Moment(milliseconds: row.integer(0)),
                        person: row.isNull(1) ? nil : row.text(1), kind: $0, detail: row.text(3))
                }
            }.compactMap(\.self)
        }
    }

    /// Whether the staff has put the machine out of service.
    public func isOutOfService() throws(StaffError) -> Bool {
        try perform { connection in
            try connection.rows("SELECT is_out FROM service") { $0.integer(0) != 0 }.first ?? false
        }
    }

    public func keep(isOutOfService isOut: Bool) throws(StaffError) {
        _ = try perform { connection in
            try connection.run(
                "UPDATE service SET is_out = $out", ["$out": .integer(isOut ? 1 : 0)])
        }
    }
}
