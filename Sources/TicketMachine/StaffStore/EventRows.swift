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

    /// Whether the machine is put out of service, and what its customers read then.
    public func service() throws(StaffError) -> (isOut: Bool, message: String?) {
        try perform { connection in
            try connection.rows("SELECT is_out, message FROM service") {
                ($0.integer(0) != 0, $0.isNull(1) ? nil : $0.text(1))
            }.first ?? (false, nil)
        }
    }

    public func keep(isOutOfService isOut: Bool, message: String?) throws(StaffError) {
        _ = try perform { connection in
            try connection.run(
                "UPDATE service SET is_out = $out, message = $message",
                [
                    "$out": .integer(isOut ? 1 : 0),
                    "$message": message.map { .text(String($0.prefix(200))) } ?? .null,
                ])
        }
    }

    /// What the staff has set; what it never has is as the program brings it.
    public func settings() throws(StaffError) -> MachineSettings {
        let values = try perform { connection in
            try connection.rows("SELECT name, value FROM setting") {
                ($0.text(0), Int($0.integer(1)))
            }
        }
        let kept = Dictionary(values) { $1 }
        let usual = MachineSettings()
        return MachineSettings(
            volume: kept["volume"] ?? usual.volume, hasLightTheme: kept["light"] == 1,
            printer: kept["printer"] ?? usual.printer)
    }

    public func keep(_ settings: MachineSettings) throws(StaffError) {
        try perform { connection in
            try connection.transaction {
                for (name, value) in [
                    ("volume", settings.volume), ("light", settings.hasLightTheme ? 1 : 0),
                    ("printer", settings.printer),
                ] {
                    try connection.run(
                        "INSERT INTO setting (name, value) VALUES ($name, $value) "
                            + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                        ["$name": .text(name), "$value": .integer(Int64(value))])
                }
            }
        }
    }
}
