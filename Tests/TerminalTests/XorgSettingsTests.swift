import Foundation
import TerminalSurface
import Testing

@Suite("Settings of the X server from other packages")
struct XorgSettingsTests {
    @Test(
        "Server flags and options about leaving are found, however they are written",
        arguments: [
            "Section \"ServerFlags\"\nEndSection", "\tsection  \"Server Flags\" # ours?",
            "Section \"ServerLayout\"\n  Option \"DontZap\" \"false\"\nEndSection",
            "Option \"dont_vt_switch\" \"off\"", "option \"NoDontZap\"",
        ])
    func found(text: String) {
        #expect(XorgSettings.opensExits(text))
    }

    @Test("Other sections and comments are ignored")
    func others() {
        for text in [
            "", "# Section \"ServerFlags\"", "#Option \"DontZap\" \"false\"",
            "Section \"InputClass\"\n  Identifier \"DontZap\"\nEndSection",
        ] {
            #expect(!XorgSettings.opensExits(text), "\(text)")
        }
    }

    @Test("The package's own file would be found if it were another package's")
    func own() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Kiosk/debian/conf/xorg.conf")
        #expect(XorgSettings.opensExits(try String(contentsOf: file, encoding: .utf8)))
    }
}
