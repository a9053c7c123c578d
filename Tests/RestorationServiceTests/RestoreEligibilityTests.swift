import RestorationService
import Testing

struct RestoreEligibilityTests {
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        /// Outcomes as `device result [bundle version or - [idiom]]`, oldest first; the requesting device is device 1 with version 42.
        var outcomes: [String]
        var standing: RestoreEligibility
    }

    static let rows = [
        Row(description: "nothing reported", outcomes: [], standing: .good),
        Row(description: "restored", outcomes: ["1 began", "1 restored"], standing: .good),
        Row(description: "failed here", outcomes: ["1 began", "1 failed"], standing: .quarantined(.failed)),
        Row(
            description: "crashed on another device of the user", outcomes: ["2 crashed"],
            standing: .quarantined(.crashed)),
        Row(description: "a later success lifts it", outcomes: ["1 crashed", "2 restored"], standing: .good),
        Row(
            description: "an earlier success does not", outcomes: ["2 restored", "1 crashed"],
            standing: .quarantined(.crashed)),
        Row(description: "another bundle version is another matter", outcomes: ["1 crashed 43"], standing: .good),
        Row(description: "42.0 is 42", outcomes: ["1 crashed 42.0"], standing: .quarantined(.crashed)),
        Row(
            description: "a version that is not said may be this one", outcomes: ["2 crashed -"],
            standing: .quarantined(.crashed)),
        Row(
            description: "and a success that says none lifts it", outcomes: ["2 crashed", "2 restored -"],
            standing: .good),
        Row(
            description: "began without a version, and asked anew", outcomes: ["1 began -"],
            standing: .quarantined(.began)),
        Row(description: "another idiom is another matter", outcomes: ["2 crashed 42 pad"], standing: .good),
        Row(
            description: "a success of another version lifts nothing", outcomes: ["1 crashed", "1 restored 43"],
            standing: .quarantined(.crashed)),
        Row(description: "began here, and asked anew", outcomes: ["1 began"], standing: .quarantined(.began)),
        Row(description: "began elsewhere, perhaps still at it", outcomes: ["2 began"], standing: .good),
        Row(description: "began twice elsewhere", outcomes: ["2 began", "2 began"], standing: .quarantined(.began)),
        Row(description: "began by two devices", outcomes: ["2 began", "3 began"], standing: .good),
        Row(
            description: "began twice, then restored", outcomes: ["2 began", "2 began", "2 restored"], standing: .good),
        Row(
            description: "a crash is told before an unfinished beginning", outcomes: ["2 crashed", "1 began"],
            standing: .quarantined(.crashed)),
        Row(description: "abandoned here", outcomes: ["1 abandoned"], standing: .abandoned),
        Row(description: "abandoned elsewhere", outcomes: ["2 abandoned"], standing: .good),
        Row(description: "abandoned here under another version", outcomes: ["1 abandoned 41"], standing: .abandoned),
        Row(
            description: "abandoned, then restored after all", outcomes: ["1 abandoned", "1 restored"], standing: .good),
        Row(
            description: "abandoned ends a beginning", outcomes: ["2 began", "2 abandoned", "2 began"], standing: .good),
    ]

    @Test(arguments: rows) func stands(_ row: Row) {
        let outcomes = row.outcomes.enumerated().compactMap { index, text -> Outcome? in
            let words = text.split(separator: " ")
            guard let device = UInt64(words[0]), let result = Outcome.Result(rawValue: String(words[1])) else {
                return nil
            }
            let version = words.count > 2 ? String(words[2]) : "42"
            let context = Context(
                idiom: words.count > 3 ? .pad : .phone, bundleVersion: version == "-" ? nil : version)
            return Outcome(
                archive: ArchiveID(high: 0, low: 1), device: DeviceID(high: 0, low: device), result: result,
                context: context, reportedAt: Timestamp(milliseconds: Int64(index)))
        }
        #expect(outcomes.count == row.outcomes.count)
        let requestingDevice = DeviceID(high: 0, low: 1)
        #expect(
            RestoreEligibility(after: outcomes, for: requestingDevice, in: Context(idiom: .phone, bundleVersion: "42"))
                == row.standing)
    }
}
