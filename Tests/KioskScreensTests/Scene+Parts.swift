import KioskScreens
import Reservations

@testable import KioskFlow

/// Setters for the parts of a scene that samples of screens change, with the names that screens use.
extension Scene {
    var language: String {
        get { access.language }
        set { access.language = newValue }
    }

    var languages: [String] {
        get { access.languages }
        set { access.languages = newValue }
    }

    var isChoosingLanguage: Bool {
        get { access.isChoosingLanguage }
        set { access.isChoosingLanguage = newValue }
    }

    var appearance: Appearance {
        get { access.appearance }
        set { access.appearance = newValue }
    }

    var voice: Voice {
        get { access.voice }
        set { access.voice = newValue }
    }
}
