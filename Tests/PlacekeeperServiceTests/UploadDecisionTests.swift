import PlacekeeperCore
import PlacekeeperService
import Testing

struct UploadDecisionTests {
    @dynamicMemberLookup
    struct Facts: Sendable {
        var state = UploadState()
        var order = SceneOrderState()
        var hasRoomForScene = true
        var prunable = Usage()
        var quotas = App.Settings.Quotas.none

        subscript<Value>(dynamicMember path: WritableKeyPath<UploadState, Value>) -> Value {
            get { state[keyPath: path] }
            set { state[keyPath: path] = newValue }
        }
    }

    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var precondition: HeadPrecondition?
        var change: @Sendable (inout Facts) -> Void = { _ in }
        var expected: UploadDecision
    }

    static let owner = UserKey(app: AppID(high: 0, low: 1), user: UserID(high: 0, low: 2))
    static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    static func new(_ precondition: HeadPrecondition? = nil) -> NewArchive {
        NewArchive(
            id: ArchiveID(high: 0, low: 3), scene: SceneKey(owner: owner, name: "main"),
            device: DeviceID(high: 0, low: 4), capturedAt: at(100), receivedAt: at(101), precondition: precondition,
            context: Context(idiom: .phone), digest: Digest(1, 2, 3, 4), summary: Archive.Summary(place: []),
            bytes: [1, 2, 3])
    }

    static let stored = new().stored(revision: Revision(rawValue: 7), at: .init(capturedAt: at(90)))
    static let head = Archive.Position(capturedAt: at(90), revision: Revision(rawValue: 7))
    static let forgotten = CaptureOrder.Forgotten(at: at(200), revision: Revision(rawValue: 9))

    /// The rows are in the order of the checks. A row may also fail checks that come after its own check.
    static let rows: [Row] = [
        Row(
            description: "an upload to an unknown scene is inserted",
            expected: .insert(at: .init(capturedAt: at(100)))),
        Row(
            description: "a device that is no longer the owner's comes before all other checks",
            change: { facts in
                facts.isActorKnown = false
                (facts.stored, facts.head) = (stored, head)
            }, expected: .answer(.actorGone)),
        Row(
            description: "the same bytes under the same id are identical, whatever the precondition says",
            precondition: .some(.none), change: { ($0.stored, $0.head) = (stored, head) },
            expected: .answer(.identical(stored, head: head.revision))),
        Row(
            description: "other bytes under the same id differ",
            change: { state in
                state.stored = stored
                state.stored?.digest = Digest(9, 9, 9, 9)
                state.head = head
            }, expected: .answer(.differs(head: head.revision))),
        Row(
            description: "another size under the same id differs",
            change: { state in
                state.stored = stored
                state.stored?.size = 4
                state.head = head
            }, expected: .answer(.differs(head: head.revision))),
        Row(
            description: "a deleted id is refused before the precondition", precondition: .some(.none),
            change: { ($0.isDeleted, $0.head) = (true, head) }, expected: .answer(.deleted(head: head.revision))),
        Row(
            description: "If-Head: none fails if the scene has a head", precondition: .some(.none),
            change: { $0.head = head }, expected: .answer(.headMoved(head: head.revision))),
        Row(
            description: "If-Head: none holds for an empty scene", precondition: .some(.none),
            expected: .insert(at: .init(capturedAt: at(100)))),
        Row(
            description: "If-Head fails for another revision, before the scene's time of forgetting",
            precondition: .revision(Revision(rawValue: 6)),
            change: { ($0.head, $0.order.forgotten) = (head, forgotten) },
            expected: .answer(.headMoved(head: head.revision))),
        Row(
            description: "If-Head fails for an empty scene", precondition: .revision(Revision(rawValue: 7)),
            expected: .answer(.headMoved(head: nil))),
        Row(
            description: "If-Head holds for the head's revision", precondition: .revision(Revision(rawValue: 7)),
            change: { $0.head = head }, expected: .insert(at: .init(capturedAt: at(100)))),
        Row(
            description: "a capture from before the scene was forgotten is refused, before the limit of scenes",
            change: { ($0.order.forgotten, $0.hasRoomForScene) = (forgotten, false) },
            expected: .answer(.forgotten(head: nil))),
        Row(
            description: "the first archive of one scene too many is refused",
            change: { $0.hasRoomForScene = false }, expected: .answer(.tooManyScenes)),
        Row(
            description: "the limit of scenes does not matter to a scene that has archives",
            change: { ($0.head, $0.hasRoomForScene) = (head, false) },
            expected: .insert(at: .init(capturedAt: at(100)))),
        Row(
            description: "an archive that does not fit into a quota is refused",
            change: { $0.quotas.userBytes = 2 },
            expected: .answer(.quotaExceeded(QuotaExcess(.userBytes, limit: 2, used: 0)))),
        Row(
            description: "the limit of scenes comes before the quotas",
            change: { ($0.quotas.userBytes, $0.hasRoomForScene) = (2, false) }, expected: .answer(.tooManyScenes)),
        Row(
            description: "an archive that fits into a quota exactly is inserted",
            change: { ($0.quotas.userBytes, $0.state.quotas.user.bytes) = (5, 2) },
            expected: .insert(at: .init(capturedAt: at(100)))),
        Row(
            description: "the archives that retention removes do not count",
            change: { facts in
                (facts.quotas.userBytes, facts.quotas.userArchives) = (5, 1)
                facts.state.quotas.user = Usage(bytes: 5, archives: 1)
                facts.prunable = Usage(bytes: 3, archives: 1)
            }, expected: .insert(at: .init(capturedAt: at(100)))),
        Row(
            description:
                "an archive that is larger than the archives that retention removes counts with the difference",
            change: { facts in
                facts.quotas.userBytes = 5
                facts.state.quotas.user = Usage(bytes: 5, archives: 1)
                facts.prunable = Usage(bytes: 2, archives: 1)
            }, expected: .answer(.quotaExceeded(QuotaExcess(.userBytes, limit: 5, used: 5)))),
        Row(
            description: "the same bytes again are identical, also above a quota",
            change: { ($0.stored, $0.head, $0.quotas.userBytes) = (stored, head, 0) },
            expected: .answer(.identical(stored, head: head.revision))),
        Row(
            description: "the order of the device's own captures decides the time",
            change: { facts in
                facts.order.ownLater = Archive.Position(
                    capturedAt: at(50), sequence: 9, revision: Revision(rawValue: 7))
            },
            expected: .insert(at: .init(capturedAt: at(50), orderRevision: Revision(rawValue: 7)))),
    ]

    @Test(arguments: rows) func decides(_ row: Row) {
        var facts = Facts()
        row.change(&facts)
        var new = Self.new(row.precondition)
        new.quotas = facts.quotas
        let decision = UploadDecision(new, in: facts.state) {
            facts.order
        } hasRoomForScene: {
            facts.hasRoomForScene
        } prunable: { _ in
            facts.prunable
        }
        #expect(decision == row.expected)
    }

    /// The store may take long to read the facts for an archive's time, and the number of scenes, so the decision asks
    /// for them only if it needs them.
    @Test func readsNoFurtherFactsForAnUploadThatIsRefusedWithoutThem() {
        var state = UploadState()
        state.isDeleted = true
        var count = 0
        let decision = UploadDecision(Self.new(), in: state) {
            count += 1
            return SceneOrderState()
        } hasRoomForScene: {
            count += 1
            return true
        } prunable: { _ in
            count += 1
            return Usage()
        }
        #expect(decision == .answer(.deleted(head: nil)))
        #expect(count == 0)
    }

    @Test func returnsTheGreaterPositionAsTheHead() {
        var state = UploadState()
        #expect(state.head(inserting: Self.stored) == Self.stored.revision)
        state.head = Archive.Position(capturedAt: Self.at(91), revision: Revision(rawValue: 5))
        #expect(state.head(inserting: Self.stored) == Revision(rawValue: 5))
        state.head = Archive.Position(capturedAt: Self.at(89), revision: Revision(rawValue: 5))
        #expect(state.head(inserting: Self.stored) == Self.stored.revision)
    }
}
