import PlacekeeperCore
import PlacekeeperService
import Testing

struct CaptureOrderTests {
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var captured: Int64
        var restoredFrom: Int64?
        var scene = SceneOrderState()
        /// The expected capture time, in milliseconds. Nil if the capture is refused as forgotten.
        var placed: Int64?
        /// The expected `orderRevision`. Nil if it is the revision of the capture.
        var order: Int64?
    }

    static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
    static let forgotten = CaptureOrder.Forgotten(at: at(100), revision: Revision(rawValue: 7))

    /// Returns the position of another capture of the same device.
    static func own(_ milliseconds: Int64, _ revision: Int64 = 5) -> Archive.Position {
        Archive.Position(capturedAt: at(milliseconds), sequence: 1, revision: Revision(rawValue: revision))
    }

    static let rows: [Row] = [
        Row(description: "an empty scene", captured: 100, placed: 100),
        Row(description: "a newer head does not matter", captured: 100, scene: .init(head: at(500)), placed: 100),
        Row(
            description: "not after a later capture of its device", captured: 100, scene: .init(ownLater: own(90)),
            placed: 90, order: 5),
        Row(
            description: "at the time of a later capture of its device: moved below it, despite the greater revision",
            captured: 90, scene: .init(ownLater: own(90)), placed: 90, order: 5),
        Row(
            description: "before a later capture of its device", captured: 50, scene: .init(ownLater: own(90)),
            placed: 50),
        Row(
            description: "not before an earlier capture of its device", captured: 50,
            scene: .init(ownEarlier: own(90)), placed: 90),
        Row(
            description: "after its device's earlier one", captured: 95, scene: .init(ownEarlier: own(90)), placed: 95),
        Row(
            description: "between two captures of the same time", captured: 90,
            scene: .init(ownEarlier: own(90), ownLater: own(90, 6)), placed: 90, order: 6),
        Row(
            description: "older than two captures of the same time: still between them", captured: 50,
            scene: .init(ownEarlier: own(90), ownLater: own(90, 6)), placed: 90, order: 6),
        Row(
            description: "below a capture that is itself below a later one: at the same revision", captured: 90,
            scene: .init(
                ownLater: .init(
                    capturedAt: at(90), orderRevision: Revision(rawValue: 6), sequence: 3,
                    revision: Revision(rawValue: 8))), placed: 90, order: 6),
        Row(
            description: "an untouched restore: right below its source", captured: 900, restoredFrom: 3,
            scene: .init(head: at(500), restoredFrom: at(300)), placed: 299),
        Row(
            description: "an untouched restore of an old source: right below the source", captured: 100,
            restoredFrom: 3, scene: .init(head: at(500), restoredFrom: at(300)), placed: 299),
        Row(
            description: "an untouched restore: not raised by an earlier capture of its device", captured: 900,
            restoredFrom: 3, scene: .init(head: at(500), restoredFrom: at(300), ownEarlier: own(500)), placed: 299),
        Row(
            description: "an untouched restore: below a later capture of its device", captured: 900, restoredFrom: 3,
            scene: .init(head: at(500), restoredFrom: at(300), ownLater: own(200)), placed: 200, order: 5),
        Row(
            description: "an untouched restore: below a later untouched restore of the same source", captured: 900,
            restoredFrom: 3,
            scene: .init(head: at(500), restoredFrom: at(300), ownLaterViews: [own(400), own(299), own(100)]),
            placed: 299, order: 5),
        Row(
            description: "an untouched restore: not below a later untouched restore of an older source", captured: 900,
            restoredFrom: 3, scene: .init(head: at(500), restoredFrom: at(300), ownLaterViews: [own(100)]),
            placed: 299),
        Row(
            description: "an untouched restore of a deleted source: below all work", captured: 900, restoredFrom: 3,
            scene: .init(head: at(500)), placed: 0),
        Row(
            description: "a first screen: below all work", captured: 900, restoredFrom: 0, scene: .init(head: at(500)),
            placed: 0),
        Row(
            description: "a first screen: below a later first screen of its device", captured: 900, restoredFrom: 0,
            scene: .init(head: at(500), ownLaterViews: [own(0), own(299)]), placed: 0, order: 5),
        Row(
            description: "a view of a first screen", captured: 900, restoredFrom: 3,
            scene: .init(head: at(0), restoredFrom: at(0)), placed: 0),
        Row(
            description: "a first screen in a forgotten scene", captured: 900, restoredFrom: 0,
            scene: .init(forgotten: forgotten), placed: 0),
        Row(
            description: "an untouched restore of a deleted source, in an empty scene", captured: 200, restoredFrom: 3,
            placed: 0),
        Row(
            description: "an untouched restore of a pruned revision, in an empty scene", captured: 200,
            restoredFrom: 7, scene: .init(prunedThrough: Revision(rawValue: 7)), placed: nil),
        Row(
            description: "an untouched restore of a revision that was never assigned", captured: 200, restoredFrom: 99,
            placed: 0),
        Row(
            description: "an untouched restore of a revision after the pruned ones, in an empty scene", captured: 200,
            restoredFrom: 8, scene: .init(prunedThrough: Revision(rawValue: 7)), placed: 0),
        Row(
            description: "an untouched restore of a pruned revision, below a head", captured: 900,
            restoredFrom: 3, scene: .init(head: at(500), prunedThrough: Revision(rawValue: 7)), placed: 0),
        Row(
            description: "captured before the scene was forgotten", captured: 99, scene: .init(forgotten: forgotten),
            placed: nil),
        Row(
            description: "captured when the scene was forgotten", captured: 100, scene: .init(forgotten: forgotten),
            placed: 100),
        Row(
            description: "an untouched restore of a forgotten revision", captured: 200, restoredFrom: 7,
            scene: .init(forgotten: forgotten), placed: nil),
        Row(
            description: "an untouched restore of a revision after the forgotten ones", captured: 200, restoredFrom: 8,
            scene: .init(restoredFrom: at(150), forgotten: forgotten), placed: 149),
        Row(
            description: "an untouched restore of another user's revision: joined after the scene was forgotten",
            captured: 200, restoredFrom: 7, scene: .init(forgotten: forgotten, joined: Revision(rawValue: 8)),
            placed: 0),
        Row(
            description: "an untouched restore of another user's revision: joined before the scene was forgotten",
            captured: 200, restoredFrom: 5, scene: .init(forgotten: forgotten, joined: Revision(rawValue: 6)),
            placed: nil),
        Row(
            description: "an untouched restore of another user's revision: joined after changes were pruned",
            captured: 200, restoredFrom: 7,
            scene: .init(prunedThrough: Revision(rawValue: 7), joined: Revision(rawValue: 8)), placed: 0),
        Row(
            description: "an untouched restore of another user's revision: joined before changes were pruned",
            captured: 200,
            restoredFrom: 7,
            scene: .init(prunedThrough: Revision(rawValue: 7), joined: Revision(rawValue: 7)), placed: nil),
        Row(
            description: "captured before the scene was forgotten, by a device that joined afterward", captured: 99,
            scene: .init(forgotten: forgotten, joined: Revision(rawValue: 8)), placed: nil),
    ]

    @Test(arguments: rows) func placesCapture(_ row: Row) {
        let new = Fixture.capture(
            1, capturedAt: Self.at(row.captured), restoredFrom: row.restoredFrom.map(Revision.init(rawValue:)))
        let order = row.order.map(Revision.init(rawValue:))
        let expected = row.placed.map {
            CaptureOrder.Placement.at(.init(capturedAt: Self.at($0), orderRevision: order))
        }
        #expect(CaptureOrder.place(new, in: row.scene) == expected ?? .forgotten)
    }
}
