import Foundation
import PlacekeeperArchive
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

struct LaunchWordsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardized

    /// The codes that a source file declares.
    private static func codes(in path: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return text.matches(of: #/static let \w+ = (?:Code|Self)\(rawValue: "([a-z-]+)"\)/#).map { String($0.output.1) }
    }

    @Test(arguments: [
        "Sources/PlacekeeperClient/Launching/Launch.swift", "Sources/PlacekeeperCore/Policy/Reason+Codes.swift",
    ])
    func eachKnownCodeHasASentence(_ path: String) throws {
        let codes = try Self.codes(in: path)
        #expect(codes.count > 10)
        for code in codes {
            let sentence = Placekeeper.Reason.sentences[.init(rawValue: code)]
            #expect(sentence?.hasSuffix(".") == true, "\(code)")
            #expect(sentence?.contains(code) == false || !code.contains("-"), "\(code)")
        }
    }

    @Test func eachCodeOfThePageHasASentence() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/client.md"), encoding: .utf8)
        let table = try #require(page.components(separatedBy: "| Code | Meaning |").last)
        let rows = try #require(table.components(separatedBy: "\n\n").first)
        let codes = rows.matches(of: #/`([a-z-]+)`/#).map { String($0.output.1) }
        #expect(codes.count > 10)
        for code in codes { #expect(Placekeeper.Reason.sentences[.init(rawValue: code)] != nil, "\(code)") }
    }

    @Test func saysThatAnotherDevicesPlaceIsOffered() {
        #expect("\(Placekeeper.Reason(.otherDevice))" == "Another device's place is newer, so it is offered.")
    }

    @Test func tellsTheComparedValues() {
        let reason = Placekeeper.Reason(.init(rawValue: "bundle-version-newer"), archive: "43", required: "42")
        #expect("\(reason)" == "A newer version of the app saved the state. (of the state: 43, of this device: 42)")
    }

    @Test func namesAnUnknownCode() {
        let reason = Placekeeper.Reason(.init(rawValue: "moon-phase-differs"), archive: "full", required: "new")
        #expect("\(reason)" == "The reason is moon-phase-differs. (of the state: full, of this device: new)")
    }

    @Test func describesAServedStateWithoutItsContent() {
        let id = "11111111-1111-4111-8111-111111111111"
        var served = Served(
            id: id, scene: "main", archive: StateArchive(application: ["draft": .string("secret")]), fidelity: .place,
            isOwn: false, revision: 7, context: RestorationContext(idiom: .phone), bytes: Array("secret".utf8))
        #expect("\(served)" == "The place of the archive \(id) of another device, in the scene main (revision 7).")
        (served.fidelity, served.isOwn, served.revision) = (.full, true, nil)
        #expect("\(served)" == "The full state of the archive \(id) of this device, in the scene main (not sent yet).")
        #expect(!"\(Launch(restore: served, reason: .init(.ownState)))".contains("secret"))
    }
}
