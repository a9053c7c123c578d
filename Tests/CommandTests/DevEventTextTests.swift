import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import placekeeper

@Suite struct DevEventTextTests {
    static let scene = SceneKey(
        owner: UserKey(app: AppID(high: 1, low: 1), user: UserID(high: 2, low: 2)), name: "main")
    static let device = DeviceID(high: 3, low: 3)

    static func archive(
        _ titles: [String] = ["Lisbon", "Tram 28"], at seconds: Int64 = 1000, scene: SceneKey = scene
    ) -> Archive {
        Archive(
            id: ArchiveID(high: 4, low: UInt64(seconds)), scene: scene, device: device,
            revision: Revision(rawValue: seconds), capturedAt: Timestamp(milliseconds: seconds * 1000),
            receivedAt: Timestamp(milliseconds: 0), sequence: nil, context: Context(idiom: .phone, bundleVersion: "42"),
            digest: SystemHashing().sha256([]), size: 1, summary: Archive.Summary(place: titles))
    }

    /// An answer that served the last of the archives, or none.
    static func answer(_ archives: [Archive], _ fidelity: Fidelity?) -> RestoreAnswer {
        let candidates = archives.enumerated().map { index, archive in
            RestoreAnswer.Candidate(
                archive: archive.id, facts: RestoreCandidate(archive),
                fidelity: index == archives.count - 1 ? fidelity : nil)
        }
        return RestoreAnswer(
            at: Timestamp(milliseconds: 0), owner: scene.owner, device: device, scene: "main",
            asked: Context(idiom: .pad), candidates: candidates)
    }

    static func reason(
        _ code: Reason.Code, _ archive: String? = nil, _ required: String? = nil, blocks: Reason.Block = .place
    ) -> Reason {
        Reason(code: code.rawValue, archive: archive, required: required, blocks: blocks)
    }

    static func words(_ archives: [Archive], _ fidelity: Fidelity?, _ reasons: [Reason]) -> DevEventText {
        DevEventText(
            answer(archives, fidelity), reasons, by: "iPad", newest: archives.first,
            served: fidelity == nil ? nil : archives.last)
    }

    @Test func tellsWhatADeviceGotAndWhy() {
        let state = Self.archive()
        let older = Self.archive(["Albums"], at: 900)
        let newer = Self.reason(.bundleVersionNewer, "42", "41")
        #expect(
            Self.words([state], .full, [])
                == DevEventText(text: "iPad asked: got Lisbon › Tram 28 in full", tone: .good))
        #expect(
            Self.words([state], .place, [Self.reason(.layoutDiffers, "compact", "regular")])
                == DevEventText(
                    text: "iPad asked: got Lisbon › Tram 28 as a place, because its layout differs", tone: .partial))
        let offered = Self.words([state], .full, [Self.reason(.crashedElsewhere, "crashed", blocks: .automatic)])
        #expect(offered.text.hasPrefix("iPad asked: got Lisbon › Tram 28 in full. The app only offers it, because "))
        #expect(offered.tone == .partial && !offered.text.contains("crashed-elsewhere"))
        #expect(
            Self.words([state], nil, [newer, Self.reason(.noPlace)])
                == DevEventText(
                    text:
                        "iPad asked: got nothing. Lisbon › Tram 28 is refused: its bundle version 42 is newer than 41,"
                        + " and it has no place", tone: .bad))
        #expect(
            Self.words([state, older], .full, [newer])
                == DevEventText(
                    text: "iPad asked: got Albums in full. The newer Lisbon › Tram 28 is refused: its bundle version 42"
                        + " is newer than 41", tone: .partial))
    }

    @Test(arguments: [
        Reason.Code.idiomNotAccepted, .layoutDiffers, .platformDiffers, .stateVersionDiffers, .stateVersionNewer,
        .bundleVersionNewer, .bundleVersionBelowMinimum, .systemVersionNewer, .tooOld, .noPlace, .placeNotAllowed,
        .quarantined, .abandoned, .restoresStopped,
    ])
    func hasWordsForEachReason(code: Reason.Code) {
        let text = Self.words([Self.archive()], nil, [Self.reason(code, "1", "2")]).text
        #expect(!text.hasSuffix(code.rawValue))
        #expect(text.hasPrefix("iPad asked: got nothing. Lisbon › Tram 28 is refused: "))
    }

    @Test(arguments: [
        ("failed", "failed"), ("crashed", "crashed"), ("began", "never finished"), (nil, "failed or crashed"),
    ])
    func saysHowTheRestoreOfAQuarantinedArchiveEnded(result: String?, end: String) {
        let text = Self.words([Self.archive()], nil, [Self.reason(.quarantined, result)]).text
        #expect(text.hasSuffix("is refused: it is quarantined, since a restore of it \(end)"))
    }

    @Test(arguments: [
        (0, "0 s"), (59, "59 s"), (60, "1 min"), (200, "3 min"), (3599, "59 min"), (7300, "2 h"), (172_800, "2 days"),
        (172_799, "47 h"),
    ])
    func tellsHowFarALateUploadIsBehindTheHead(seconds: Int64, span: String) {
        var entry = TimelineEntry(Self.archive(at: 1_000_000 - seconds))
        entry.isLate = true
        let words = DevEventText(stored: entry, head: Self.archive(at: 1_000_000), by: "iPhone")
        let start = "iPhone's upload of Lisbon › Tram 28 did not become the head: captured "
        #expect(words == DevEventText(text: start + "\(span) before it", tone: .partial))
    }

    @Test func tellsWhichUploadsBecomeTheHead() {
        var entry = TimelineEntry(Self.archive([], scene: SceneKey(owner: Self.scene.owner, name: "editor")))
        #expect(
            DevEventText(stored: entry, head: nil, by: "iPhone").text.hasSuffix(
                " (scene editor). The head is a newer state"))
        entry.isViewOnly = true
        #expect(
            DevEventText(stored: entry, head: nil, by: "iPhone").text.hasSuffix(
                "did not become the head: it repeats a restored state without an interaction"))
        entry.archive.capturedAt = .belowAllWork
        #expect(
            DevEventText(stored: entry, head: nil, by: "iPhone").text.hasSuffix(
                "it is a first screen without an interaction, below all work"))
        entry.isViewOnly = false
        entry.isHead = true
        #expect(
            DevEventText(stored: entry, head: nil, by: "iPhone")
                == DevEventText(text: "iPhone saved a state without a place (scene editor)", tone: .good))
    }

    @Test(arguments: [
        (Outcome.Result.began, "iPad begins to restore Lisbon › Tram 28"),
        (.restored, "iPad restored Lisbon › Tram 28"),
        (.abandoned, "iPad discarded Lisbon › Tram 28"),
        (.failed, "iPad could not restore Lisbon › Tram 28 at root/list: quarantined for pad 2.1"),
        (.crashed, "iPad crashed while it restored Lisbon › Tram 28 at root/list: quarantined for pad 2.1"),
    ])
    func tellsHowARestoreEnded(result: Outcome.Result, text: String) {
        var entry = TimelineEntry(Self.archive())
        let outcome = Outcome(
            archive: entry.archive.id, device: Self.device, result: result,
            context: Context(idiom: .pad, bundleVersion: "2.1"), details: Outcome.Details(path: "root/list"),
            reportedAt: Timestamp(milliseconds: 0))
        entry.outcomes = [outcome]
        #expect(DevEventText(outcome, of: entry, by: "iPad").text == text)
        // A later restore ends the quarantine.
        guard result == .failed else { return }
        var restored = outcome
        restored.result = .restored
        entry.outcomes.append(restored)
        #expect(
            DevEventText(outcome, of: entry, by: "iPad").text == "iPad could not restore Lisbon › Tram 28 at root/list")
    }

    @Test func escapesTheTextsOfDevices() {
        let hostile = "\u{1B}[2J\n\u{202E}"
        let scene = SceneKey(owner: Self.scene.owner, name: hostile)
        var device = Device(
            id: Self.device, owner: scene.owner, idiom: .pad, name: hostile, createdAt: Timestamp(milliseconds: 0),
            lastSeenAt: Timestamp(milliseconds: 0))
        var texts = [Device?.some(device).told]
        device.name = nil
        device.model = hostile
        texts.append(Device?.some(device).told)
        let archive = Self.archive([hostile, "Tram"], scene: scene)
        var entry = TimelineEntry(archive)
        entry.outcomes = [
            Outcome(
                archive: archive.id, device: Self.device, result: .failed,
                context: Context(idiom: .pad, bundleVersion: hostile), details: Outcome.Details(path: hostile),
                reportedAt: Timestamp(milliseconds: 0))
        ]
        texts.append(DevEventText(entry.outcomes[0], of: entry, by: "iPad").text)
        texts.append(DevEventText(stored: entry, head: nil, by: "iPad").text)
        let reasons = [Reason.Code.bundleVersionNewer, .restoresStopped, Reason.Code(rawValue: hostile)]
            .map { Self.reason($0, hostile, hostile) }
        texts.append(Self.words([archive], nil, reasons).text)
        for text in texts {
            #expect(text.contains("u{1b}"))
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }
}
