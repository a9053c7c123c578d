import PlacekeeperCore
import PlacekeeperService
import Testing

struct RestoreEligibilityTests {
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        /// The outcomes as `device result [bundle version or - [idiom]] [@launch]`, the oldest first. The requesting
        /// device is device 1 with version 42.
        var outcomes: [String]
        /// The requesting device's version.
        var asked: String? = "42"
        /// The number of the device that made the archive.
        var maker: UInt64 = 9
        var eligibility: RestoreEligibility
    }

    static let rows = [
        Row(description: "nothing reported", outcomes: [], eligibility: .good),
        Row(description: "restored", outcomes: ["1 began", "1 restored"], eligibility: .good),
        Row(
            description: "failed on the requesting device", outcomes: ["1 began", "1 failed"],
            eligibility: .quarantined(.failed)),
        Row(
            description: "crashed on another device of the user", outcomes: ["2 crashed"],
            eligibility: .quarantined(.crashed)),
        Row(
            description: "a later success lifts the quarantine", outcomes: ["1 crashed", "2 restored"],
            eligibility: .good),
        Row(
            description: "an earlier success does not lift the quarantine", outcomes: ["2 restored", "1 crashed"],
            eligibility: .quarantined(.crashed)),
        Row(
            description: "a crash with another bundle version does not count", outcomes: ["1 crashed 43"],
            eligibility: .good),
        Row(description: "42.0 is 42", outcomes: ["1 crashed 42.0"], eligibility: .quarantined(.crashed)),
        Row(
            description: "a crash without a version counts for no known version", outcomes: ["2 crashed -"],
            eligibility: .good),
        Row(
            description: "a failure without a version counts for an unknown version", outcomes: ["2 failed -"],
            asked: nil, eligibility: .quarantined(.failed)),
        Row(
            description: "two restores began without a version, for a known version",
            outcomes: ["2 began -", "2 began -"],
            eligibility: .good),
        Row(
            description: "two restores began without a version, for an unknown version",
            outcomes: ["2 began -", "2 began -"], asked: nil, eligibility: .quarantined(.began)),
        Row(
            description: "a crash with a version counts for an unknown version", outcomes: ["2 crashed 41"], asked: nil,
            eligibility: .quarantined(.crashed)),
        Row(
            description: "a success without a version does not lift the quarantine",
            outcomes: ["2 crashed", "2 restored -"], eligibility: .quarantined(.crashed)),
        Row(
            description: "a success lifts only failures of its own version, for an unknown version",
            outcomes: ["2 failed 41", "2 failed 42", "2 restored 42.0"], asked: nil,
            eligibility: .quarantined(.failed)),
        Row(
            description: "a success lifts all failures of its version, for an unknown version",
            outcomes: ["2 failed", "3 failed", "2 failed 42.0", "4 restored"], asked: nil, eligibility: .good),
        Row(
            description: "a success with a version does not lift a failure without one, for an unknown version",
            outcomes: ["2 failed -", "2 restored"], asked: nil, eligibility: .quarantined(.failed)),
        Row(
            description: "a success without a version lifts only a failure without one, for an unknown version",
            outcomes: ["2 failed -", "3 crashed", "2 restored -"], asked: nil, eligibility: .quarantined(.crashed)),
        Row(
            description: "a success with another version does not lift a crash elsewhere, for the maker",
            outcomes: ["2 crashed 41", "1 restored"], asked: nil, maker: 1, eligibility: .crashedElsewhere(.crashed)),
        Row(
            description: "a crash with another idiom does not count", outcomes: ["2 crashed 42 pad"], eligibility: .good
        ),
        Row(
            description: "a success with another version does not lift the quarantine",
            outcomes: ["1 crashed", "1 restored 43"], eligibility: .quarantined(.crashed)),
        Row(
            description: "began on the requesting device, perhaps still running", outcomes: ["1 began @a"],
            eligibility: .good),
        Row(description: "began on another device, perhaps still running", outcomes: ["2 began"], eligibility: .good),
        Row(
            description: "began twice in the same launch", outcomes: ["2 began @a", "2 began @a"], eligibility: .good),
        Row(
            description: "began in two launches", outcomes: ["2 began @a", "2 began @b"],
            eligibility: .quarantined(.began)),
        Row(
            description: "began in two launches, the second of another version",
            outcomes: ["2 began @a", "2 began 43 @b"],
            eligibility: .quarantined(.began)),
        Row(
            description: "began in a launch, and in a process without a launch", outcomes: ["2 began @a", "2 began"],
            eligibility: .good),
        Row(
            description: "began in a process without a launch, and in a launch", outcomes: ["2 began", "2 began @a"],
            eligibility: .good),
        Row(
            description: "restored in the second launch", outcomes: ["2 began @a", "2 began @b", "2 restored @b"],
            eligibility: .good),
        Row(
            description: "began twice on another device", outcomes: ["2 began", "2 began"],
            eligibility: .quarantined(.began)),
        Row(description: "began once on each of two devices", outcomes: ["2 began", "3 began"], eligibility: .good),
        Row(
            description: "began twice, then restored", outcomes: ["2 began", "2 began", "2 restored"],
            eligibility: .good),
        Row(
            description: "a crash has precedence over an unfinished restore", outcomes: ["2 crashed", "1 began"],
            eligibility: .quarantined(.crashed)),
        Row(description: "abandoned on the requesting device", outcomes: ["1 abandoned"], eligibility: .abandoned),
        Row(description: "abandoned on another device", outcomes: ["2 abandoned"], eligibility: .good),
        Row(
            description: "abandoned on the requesting device with another version", outcomes: ["1 abandoned 41"],
            eligibility: .abandoned),
        Row(
            description: "abandoned, then restored", outcomes: ["1 abandoned", "1 restored"], eligibility: .good),
        Row(
            description: "failed on another device, for the maker", outcomes: ["2 failed"], maker: 1, eligibility: .good
        ),
        Row(
            description: "crashed on another device, for the maker", outcomes: ["2 crashed", "3 failed"], maker: 1,
            eligibility: .crashedElsewhere(.crashed)),
        Row(
            description: "began in two launches of another device, for the maker",
            outcomes: ["2 began @a", "2 began @b"],
            maker: 1, eligibility: .crashedElsewhere(.began)),
        Row(
            description: "crashed on another device, then on the maker", outcomes: ["2 crashed", "1 crashed"], maker: 1,
            eligibility: .quarantined(.crashed)),
        Row(
            description: "failed on the maker, then crashed on another device", outcomes: ["1 failed", "2 crashed"],
            maker: 1, eligibility: .quarantined(.failed)),
        Row(
            description: "crashed on another device, then restored on the maker",
            outcomes: ["2 crashed", "1 restored"],
            maker: 1, eligibility: .good),
        Row(
            description: "crashed on another idiom, for the maker", outcomes: ["2 crashed 42 pad"], maker: 1,
            eligibility: .good),
        Row(
            description: "crashed with another version, for the maker", outcomes: ["2 crashed 43"], maker: 1,
            eligibility: .good),
        Row(
            description: "crashed on the maker, for another device", outcomes: ["9 crashed"],
            eligibility: .quarantined(.crashed)),
        Row(
            description: "abandoned ends a restore that began", outcomes: ["2 began", "2 abandoned", "2 began"],
            eligibility: .good),
    ]

    @Test(arguments: rows) func evaluatesOutcomes(_ row: Row) {
        let outcomes = row.outcomes.enumerated().compactMap { index, text -> Outcome? in
            let words = text.split(separator: " ").filter { !$0.hasPrefix("@") }
            let launch = text.split(separator: "@").dropFirst().first.flatMap { LaunchID(String($0)) }
            guard let device = UInt64(words[0]), let result = Outcome.Result(rawValue: String(words[1])) else {
                return nil
            }
            let version = words.count > 2 ? String(words[2]) : "42"
            let context = Context(
                idiom: words.count > 3 ? .pad : .phone, bundleVersion: version == "-" ? nil : version)
            return Outcome(
                archive: ArchiveID(high: 0, low: 1), device: DeviceID(high: 0, low: device), result: result,
                context: context, launch: launch, reportedAt: Timestamp(milliseconds: Int64(index)))
        }
        #expect(outcomes.count == row.outcomes.count)
        let requestingDevice = DeviceID(high: 0, low: 1)
        let context = Context(idiom: .phone, bundleVersion: row.asked)
        let eligibility = RestoreEligibility(
            after: outcomes, madeBy: DeviceID(high: 0, low: row.maker), for: requestingDevice, in: context)
        #expect(eligibility == row.eligibility)
    }

    /// Retention keeps an older archive while the restore of the newest archive may fail.
    @Test(arguments: [(1, Outcome.Result.began, false), (1, .restored, true), (2, .began, true), (2, .failed, false)])
    func countsOwnUnfinishedRestoreAsNotServable(_ device: UInt64, _ result: Outcome.Result, _ isServable: Bool) {
        let context = Context(idiom: .phone, bundleVersion: "42")
        let maker = DeviceID(high: 0, low: 1)
        let archive = Archive(
            id: ArchiveID(high: 0, low: 1),
            scene: SceneKey(owner: UserKey(app: AppID(high: 0, low: 1), user: UserID(high: 0, low: 1)), name: "main"),
            device: maker, revision: Revision(rawValue: 1), capturedAt: Timestamp(milliseconds: 0),
            receivedAt: Timestamp(milliseconds: 0), sequence: nil, context: context, digest: Digest(0, 0, 0, 0),
            size: 1,
            summary: Archive.Summary())
        let outcome = Outcome(
            archive: archive.id, device: DeviceID(high: 0, low: device), result: result, context: context,
            launch: LaunchID("a"), reportedAt: Timestamp(milliseconds: 1))
        #expect(RestoreEligibility.isServable(archive, after: [outcome]) == isServable)
    }
}
