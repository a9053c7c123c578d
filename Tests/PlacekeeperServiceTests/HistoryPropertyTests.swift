import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Random histories of a scene, checked against simple rules over the whole history.
struct HistoryPropertyTests {
    @Test(arguments: 0..<150 as Range<UInt64>) func keepsOrderOfCaptures(_ seed: UInt64) async throws {
        var scene = RandomScene(seed: seed)
        for _ in 0..<40 {
            let new = scene.nextCapture()
            let before = await scene.stored()
            guard case .created(let archive, let head) = try await scene.store.put(new, retention: 1000).value else {
                Issue.record("not created")
                return
            }
            let after = await scene.stored()
            #expect(after.map(\.id).filter { $0 != new.id } == before.map(\.id), "stored archives keep their order")
            #expect(after == after.sorted { $0.position > $1.position })
            #expect(head == after.first?.revision)
            scene.check(archive, made: new, among: before)
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func servesNewestRestorableArchive(_ seed: UInt64) async throws {
        let fixture = try await ServiceFixture()
        let makers = try await [fixture.join(.phone)]
        let devices = try await [makers[0], fixture.join(.phone, with: makers[0]), fixture.join(.pad, with: makers[0])]
        let random = SeededRandom(seed: seed)
        for number in 1...30 as ClosedRange<UInt64> {
            fixture.clock.advance(.seconds(random.below(5 * 86_400)))
            let maker = devices[random.below(3)]
            try await fixture.upload(
                number, by: maker, place: random.below(3) == 0 ? [] : ["Albums"], age: .seconds(random.below(86_400))
            ) { upload in
                upload.bundleVersion = "\(random.below(3))"
                upload.stateVersion = random.below(3) == 0 ? Int64(random.below(3)) : nil
            }
            if random.below(3) == 0 {
                let id = ArchiveID(high: 0, low: 1 + random.next() % number)
                let reporter = devices[random.below(3)]
                let result = Outcome.Result.allCases[random.below(5)]
                let version = Context(idiom: reporter.device.idiom, bundleVersion: "\(random.below(3))")
                // Ignore the error of a device that was not served the archive.
                try? await fixture.service.restores.report(
                    result, of: id, in: "main", context: version, principal: reporter)
            }
            let requestingDevice = devices[random.below(3)]
            var asked = Context(idiom: requestingDevice.device.idiom, bundleVersion: "\(random.below(3))")
            asked.stateVersion = random.below(2) == 0 ? Int64(random.below(3)) : nil
            let expected = try await naiveLatest(fixture, for: asked, requestingDevice: requestingDevice)
            let answer = try await fixture.service.restores.latest(
                in: "main", of: nil, for: asked, principal: requestingDevice)
            #expect(answer.served.map { [$0.archive.id.low: $0.fidelity] } == expected)
        }
    }

    /// Returns the number and the fidelity of the restorable archive with the greatest position.
    private func naiveLatest(_ fixture: ServiceFixture, for asked: Context, requestingDevice: Principal) async throws
        -> [UInt64: Fidelity]?
    {
        let scene = SceneKey(owner: requestingDevice.owner, name: "main")
        var best: (archive: Archive, fidelity: Fidelity)?
        for archive in try await fixture.store.history(of: scene, below: nil, limit: 1000).archives.shuffled() {
            let outcomes = try await fixture.store.outcomes(of: archive.id, in: scene)
            let verdict = CompatibilityPolicy().evaluate(RestoreCandidate(archive), for: asked, at: fixture.clock.now())
            guard let fidelity = verdict.fidelity,
                !RestoreEligibility(
                    after: outcomes, madeBy: archive.device, for: requestingDevice.device.id, in: asked
                ).isExcluded
            else { continue }
            if let best, best.archive.position > archive.position { continue }
            best = (archive, fidelity)
        }
        return best.map { [$0.archive.id.low: $0.fidelity] }
    }
}

/// Captures in the order in which faulty clients and slow networks send them.
private struct RandomScene {
    let store = InMemoryStore()
    private let random: SeededRandom
    private var number: UInt64 = 0
    private var now = Timestamp(milliseconds: 1_000_000)
    private var sequences: [DeviceID: Int64] = [:]

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    func stored() async -> [Archive] {
        await store.history(
            of: SceneKey(owner: Fixture.owner, name: "main"), below: nil, limit: 1000
        ).archives
    }

    mutating func nextCapture() -> NewArchive {
        number += 1
        now = now + .milliseconds(random.below(3))
        let device = DeviceID(high: 0, low: UInt64(random.below(3)))
        var sequence: Int64?
        if random.below(5) > 0 {
            let last = sequences[device, default: 100]
            // A slow request has a lower sequence than earlier requests.
            sequence = random.below(4) == 0 ? last - Int64(random.below(60)) * 2 - 1 : last + 2
            sequences[device] = max(last, sequence ?? last)
        }
        let age = Duration.milliseconds(random.below(3) == 0 ? random.below(30) : 0)
        let source =
            random.below(4) == 0 && number > 1 ? Revision(rawValue: 1 + Int64(random.below(Int(number) - 1))) : nil
        return Fixture.capture(
            number, device: device, capturedAt: now - age, receivedAt: now, sequence: sequence, restoredFrom: source)
    }

    func check(_ archive: Archive, made new: NewArchive, among before: [Archive]) {
        let own = before.filter { $0.device == new.device }
        let isViewOnly = new.restoredFrom != nil
        // A view-only capture says nothing about interactions, so a later view-only capture is no limit for an earlier capture.
        let later = own.filter { isLater($0.sequence, than: new.sequence) && !$0.isViewOnly }
        let earlier = own.filter { isLater(new.sequence, than: $0.sequence) }
        for capture in later { #expect(archive.position < capture.position, "above a later capture of its device") }
        if let revision = new.restoredFrom, let source = before.first(where: { $0.revision == revision }) {
            #expect(archive.position < source.position, "above its source")
            if later.isEmpty {
                let between = before.filter { archive.position < $0.position && $0.position < source.position }
                // A later view-only capture of the device may be right below the source already, among other devices' view-only captures.
                let isBelowViewOnlyCapture = own.contains {
                    isLater($0.sequence, than: new.sequence) && $0.capturedAt == archive.capturedAt
                }
                #expect(
                    between.allSatisfy {
                        $0.capturedAt == source.capturedAt
                            || isBelowViewOnlyCapture && $0.capturedAt == archive.capturedAt
                    }, "not right below its source")
            }
        } else if !isViewOnly {
            for capture in earlier {
                #expect(archive.position > capture.position, "below an earlier capture of its device")
            }
            if earlier.allSatisfy({ $0.capturedAt <= new.capturedAt }),
                later.allSatisfy({ $0.capturedAt >= new.capturedAt })
            {
                #expect(archive.capturedAt == new.capturedAt)
            }
        }
        #expect(archive.capturedAt <= archive.receivedAt)
    }

    private func isLater(_ left: Int64?, than right: Int64?) -> Bool {
        guard let left, let right else { return false }
        return left > right
    }
}
