import Foundation
import TerminalSurface
import Testing

@Suite("Settings of the X server from other packages")
struct XorgSettingsTests {
    @Test(
        "Server flags and options about leaving are found, however they are written, and nothing else",
        arguments: [
            ("Section \"ServerFlags\"\nEndSection", true),
            ("\tsection  \"Server Flags\" # ours?", true),
            ("Section \"ServerLayout\"\n  Option \"DontZap\" \"false\"\nEndSection", true),
            ("Option \"dont_vt_switch\" \"off\"", true), ("option \"NoDontZap\"", true),
            ("", false), ("# Section \"ServerFlags\"", false),
            ("#Option \"DontZap\" \"false\"", false),
            ("Section \"InputClass\"\n  Identifier \"DontZap\"\nEndSection", false),
        ])
    func found(text: String, isFound: Bool) {
        #expect(XorgSettings.opensExits(text) == isFound)
    }

    @Test("The package's own file would be found if it were another package's")
    func own() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Kiosk/debian/conf/xorg.conf")
        #expect(XorgSettings.opensExits(try String(contentsOf: file, encoding: .utf8)))
    }
}
