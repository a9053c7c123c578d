import RestorationService
import Testing

struct CaptureOrderTests {
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var captured: Int64
        var restoredFrom: Int64?
        var scene = CaptureOrder.Surroundings()
        /// nil when it is refused as forgotten.
        var placed: Int64?
    }

    static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
    static let forgotten = CaptureOrder.Forgotten(at: at(100), revision: Revision(rawValue: 7))

    static let rows: [Row] = [
        Row(description: "nothing around", captured: 100, placed: 100),
        Row(description: "a newer head does not matter", captured: 100, scene: .init(head: at(500)), placed: 100),
        Row(
            description: "no later than its device's later one", captured: 100, scene: .init(ownLater: at(90)),
            placed: 89),
        Row(
            description: "at its device's later one: below it, for its revision is greater", captured: 90,
            scene: .init(ownLater: at(90)), placed: 89),
        Row(description: "before its device's later one", captured: 50, scene: .init(ownLater: at(90)), placed: 50),
        Row(
            description: "no earlier than its device's earlier one", captured: 50, scene: .init(ownEarlier: at(90)),
            placed: 90),
        Row(description: "after its device's earlier one", captured: 95, scene: .init(ownEarlier: at(90)), placed: 95),
        Row(
            description: "between two of one time: not above the later one", captured: 90,
            scene: .init(ownEarlier: at(90), ownLater: at(90)), placed: 89),
        Row(
            description: "a glance stands right below its source", captured: 900, restoredFrom: 3,
            scene: .init(head: at(500), restoredFrom: at(300)), placed: 299),
        Row(
            description: "a glance at an old source is old, whenever it was made", captured: 100, restoredFrom: 3,
            scene: .init(head: at(500), restoredFrom: at(300)), placed: 299),
        Row(
            description: "a glance is not lifted by its device's earlier one", captured: 900, restoredFrom: 3,
            scene: .init(head: at(500), restoredFrom: at(300), ownEarlier: at(500)), placed: 299),
        Row(
            description: "a glance stays below its device's later one", captured: 900, restoredFrom: 3,
            scene: .init(head: at(500), restoredFrom: at(300), ownLater: at(200)), placed: 199),
        Row(
            description: "a glance at what is gone stays below the head", captured: 900, restoredFrom: 3,
            scene: .init(head: at(500)), placed: 499),
        Row(
            description: "a glance at what is gone keeps its age", captured: 200, restoredFrom: 3,
            scene: .init(head: at(500)), placed: 200),
        Row(description: "a glance at what is gone in an empty scene", captured: 200, restoredFrom: 3, placed: 200),
        Row(
            description: "a glance at what an empty scene may have held before changes were pruned", captured: 200,
            restoredFrom: 7, scene: .init(prunedThrough: Revision(rawValue: 7)), placed: nil),
        Row(description: "a glance at no revision that was ever given", captured: 200, restoredFrom: 0, placed: 200),
        Row(
            description: "a glance at what came after changes were pruned, in an empty scene", captured: 200,
            restoredFrom: 8, scene: .init(prunedThrough: Revision(rawValue: 7)), placed: 200),
        Row(
            description: "a glance at what came before changes were pruned, below a head", captured: 900,
            restoredFrom: 3, scene: .init(head: at(500), prunedThrough: Revision(rawValue: 7)), placed: 499),
        Row(
            description: "older than the forgetting", captured: 99, scene: .init(forgotten: forgotten), placed: nil),
        Row(
            description: "as old as the forgetting", captured: 100, scene: .init(forgotten: forgotten), placed: 100),
        Row(
            description: "a glance at what was forgotten", captured: 200, restoredFrom: 7,
            scene: .init(forgotten: forgotten), placed: nil),
        Row(
            description: "a glance at what came after", captured: 200, restoredFrom: 8,
            scene: .init(restoredFrom: at(150), forgotten: forgotten), placed: 149),
        Row(
            description: "a glance at another user's, by a device that joined after the forgetting", captured: 200,
            restoredFrom: 7,
            scene: .init(forgotten: forgotten, joined: Revision(rawValue: 8)), placed: 200),
        Row(
            description: "a glance at another user's, by a device that joined before the forgetting", captured: 200,
            restoredFrom: 5,
            scene: .init(forgotten: forgotten, joined: Revision(rawValue: 6)), placed: nil),
        Row(
            description: "a glance at another user's, by a device that joined after changes were pruned", captured: 200,
            restoredFrom: 7,
            scene: .init(prunedThrough: Revision(rawValue: 7), joined: Revision(rawValue: 8)), placed: 200),
        Row(
            description: "a glance at another user's, by a device that joined before changes were pruned",
            captured: 200,
            restoredFrom: 7,
            scene: .init(prunedThrough: Revision(rawValue: 7), joined: Revision(rawValue: 7)), placed: nil),
        Row(
            description: "older than the forgetting, by a device that joined after it", captured: 99,
            scene: .init(forgotten: forgotten, joined: Revision(rawValue: 8)), placed: nil),
    ]

    @Test(arguments: rows) func places(_ row: Row) {
        let new = Fixture.capture(
            1, capturedAt: Self.at(row.captured), restoredFrom: row.restoredFrom.map(Revision.init(rawValue:)))
        let expected = row.placed.map { CaptureOrder.Placement.captured(at: Self.at($0)) } ?? .forgotten
        #expect(CaptureOrder.place(new, amid: row.scene) == expected)
    }
}
