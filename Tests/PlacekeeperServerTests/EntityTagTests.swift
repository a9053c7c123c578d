import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

struct EntityTagTests {
    static let asked = Context(idiom: .pad, layout: .regular, bundleVersion: "42", systemVersion: "17", stateVersion: 3)

    static func tag(
        revision: Int64 = 31, digest: UInt64 = 31, rewritten: Digest? = nil, fidelity: Fidelity = .full,
        superseded: Superseded? = nil, for asked: Context = asked
    ) -> String {
        ServedVersion(
            revision: Revision(rawValue: revision), digest: Digest(digest, 0, 0, 0), rewritten: rewritten,
            fidelity: fidelity, superseded: superseded, asked: asked
        ).entityTag
    }

    /// If tags changed with a restart, every device would fetch its archives again. The tag is strong, and has no quotation
    /// mark, space or control character between its quotation marks (RFC 9110 section 8.8.3).
    @Test func isTheSameInEveryProcess() { #expect(Self.tag() == "\"1f-1f-96ffd59b59add2c6\"") }

    @Test func differsForEachInputOfTheAnswer() {
        let newer = Superseded(head: Revision(rawValue: 40), by: .seconds(1))
        var tags = [
            Self.tag(), Self.tag(revision: 32), Self.tag(digest: 32), Self.tag(fidelity: .place),
            Self.tag(rewritten: Digest(5, 0, 0, 0)), Self.tag(rewritten: Digest(6, 0, 0, 0)),
            Self.tag(superseded: newer), Self.tag(superseded: Superseded(head: newer.head, by: .seconds(2))),
            Self.tag(superseded: Superseded(head: Revision(rawValue: 41), by: newer.by)),
        ]
        let changes: [(inout Context) -> Void] = [
            { $0.idiom = .phone }, { $0.layout = .compact }, { $0.layout = nil }, { $0.bundleVersion = "43" },
            { $0.bundleVersion = nil }, { $0.bundleVersion = "" }, { $0.bundleVersion = "4217" },
            { $0.systemVersion = "18" }, { $0.systemVersion = nil }, { $0.stateVersion = 4 },
            { $0.stateVersion = nil }, { $0.stateVersion = 0 },
            { ($0.bundleVersion, $0.systemVersion) = ("4", "217") },
            { ($0.bundleVersion, $0.systemVersion) = ("17", "42") },
        ]
        for change in changes {
            var asked = Self.asked
            change(&asked)
            tags.append(Self.tag(for: asked))
        }
        #expect(Set(tags).count == tags.count)
    }
}
