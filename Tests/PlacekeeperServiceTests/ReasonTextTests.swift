import PlacekeeperCore
import Testing

@Suite struct ReasonTextTests {
    @Test func saysTheComparedValues() {
        let newer = Reason(code: "bundle-version-newer", archive: "43", required: "42", blocks: .full)
        #expect(newer.text == "its bundle version 43 is newer than 42")
        let old = Reason(code: "too-old", archive: "259200", required: "3600", blocks: .place)
        #expect(old.text == "it is 3 days old, and at most 1 h is allowed")
        let phone = Reason(code: "idiom-not-accepted", archive: "phone", required: "pad, mac, tv", blocks: .full)
        #expect(phone.text == "it is from a phone, not from a pad or mac or tv")
        #expect(Reason(code: "moon-phase-differs", blocks: .place).text == "moon-phase-differs")
    }

    @Test(arguments: [
        ("bundle-version-newer", "its bundle version 43 is newer than 42"),
        ("bundle-version-below-minimum", "its bundle version 43 is below the minimum"),
        ("state-version-newer", "its state version 2 is newer than none"),
        ("system-version-newer", "its system version 18 is newer than 17"),
        ("idiom-not-accepted", "it is from a phone, not from a pad"), ("too-old", "it is too old"),
        ("restores-stopped", "restores from version 43 to 42 are stopped"),
    ])
    func saysALoggedReasonWithTheValuesOfBothContexts(code: String, text: String) {
        let archive = Context(idiom: .phone, bundleVersion: "43", systemVersion: "18", stateVersion: 2)
        let device = Context(idiom: .pad, bundleVersion: "42", systemVersion: "17")
        #expect(Reason(logged: code, of: archive, for: device).text == text)
    }
}
