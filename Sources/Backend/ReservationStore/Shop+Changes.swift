internal import Reservations

extension Shop {
    /// The differences from the former settings, in words for the audit.
    func changes(since former: Shop, cancelledVisits: Int) -> String {
        var changes: [String] = []
        func compare(_ name: String, _ old: String, _ new: String) {
            if old != new { changes.append("\(name) \(old) -> \(new)") }
        }
        compare("tag", former.tag.rawValue, tag.rawValue)
        compare("name", former.name, name)
        compare("time zone", former.timeZone, timeZone)
        compare("hours", former.hours.week, hours.week)
        compare(
            "languages", former.languages.joined(separator: ","), languages.joined(separator: ","))
        for setting in ShopSetting.all {
            compare(setting.name, setting.text(of: former), setting.text(of: self))
        }
        compare(
            "departments", Department.text(former.policy.departments),
            Department.text(policy.departments))
        compare(
            "position", former.address.position?.description ?? "",
            address.position?.description ?? "")
        func text(_ periods: [OpenPeriod]?) -> String {
            guard let periods else { return "as the week" }
            return periods.isEmpty ? "closed" : periods.map(\.description).joined(separator: " ")
        }
        let days = Set(former.hours.exceptions.keys).union(hours.exceptions.keys)
        for day in days.sorted() {
            compare(
                day.description, text(former.hours.exceptions[day]), text(hours.exceptions[day]))
        }
        if cancelledVisits > 0 { changes.append("\(cancelledVisits) visits deleted") }
        return changes.isEmpty ? "nothing" : changes.joined(separator: "; ")
    }
}
