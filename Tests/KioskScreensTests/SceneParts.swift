import KioskScreens
import Reservations

@testable import KioskFlow

/// Setters for the parts of a scene that samples of screens change, with the names that screens use.
extension Scene {
    var queue: QueueStatus? {
        get { machine.service.queue }
        set { machine.service.queue = newValue }
    }

    var isPutOut: Bool {
        get { machine.service.isPutOut }
        set { machine.service.isPutOut = newValue }
    }

    var serviceMessage: String? {
        get { machine.service.message }
        set { machine.service.message = newValue }
    }

    var language: String {
        get { machine.access.language }
        set { machine.access.language = newValue }
    }

    var languages: [String] {
        get { machine.access.languages }
        set { machine.access.languages = newValue }
    }

    var isChoosingLanguage: Bool {
        get { machine.access.isChoosingLanguage }
        set { machine.access.isChoosingLanguage = newValue }
    }

    var appearance: Appearance {
        get { machine.access.appearance }
        set { machine.access.appearance = newValue }
    }

    var voice: Voice {
        get { machine.access.voice }
        set { machine.access.voice = newValue }
    }
}
