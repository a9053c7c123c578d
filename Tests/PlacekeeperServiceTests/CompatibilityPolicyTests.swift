import PlacekeeperCore
import PlacekeeperService
import Testing

struct CompatibilityPolicyTests {
    /// An archive, the requesting device's context, the policy, and the expected verdict.
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var policy: @Sendable (inout CompatibilityPolicy) -> Void = { _ in }
        var archive: Context
        var asked: Context
        var ageInDays = 0.0
        var hasPlace = true
        var fidelity: Fidelity?
        /// The expected reasons, as `code archive→required`.
        var reasons: [String] = []
    }

    static let phone = Context(idiom: .phone, layout: .compact, bundleVersion: "42", systemVersion: "17.4")
    static let pad = Context(idiom: .pad, layout: .regular, bundleVersion: "42", systemVersion: "17.4")

    static func context(
        _ idiom: Idiom = .phone, _ bundle: String? = nil, system: String? = nil, state: Int64? = nil,
        layout: Layout? = nil
    ) -> Context {
        Context(
            idiom: idiom, layout: layout, bundleVersion: bundle, systemVersion: system, stateVersion: state)
    }

    static let idiomsAndLayouts: [Row] = [
        Row(description: "the same context: the full state", archive: phone, asked: phone, fidelity: .full),
        Row(
            description: "the same context without a place: the full state", archive: phone, asked: phone,
            hasPlace: false, fidelity: .full),
        Row(
            description: "phone to pad: the place", archive: phone, asked: pad, fidelity: .place,
            reasons: ["idiom-not-accepted phone→pad", "layout-differs compact→regular"]),
        Row(
            description: "phone to pad without a place: nothing", archive: phone, asked: pad, hasPlace: false,
            fidelity: nil,
            reasons: [
                "idiom-not-accepted phone→pad", "layout-differs compact→regular", "no-place nil→nil",
            ]),
        Row(
            description: "places off: nothing", policy: { $0.allowsPlace = false }, archive: phone, asked: pad,
            fidelity: nil,
            reasons: [
                "idiom-not-accepted phone→pad", "layout-differs compact→regular", "place-not-allowed nil→nil",
            ]),
        Row(
            description: "places off: the full state for the same context", policy: { $0.allowsPlace = false },
            archive: phone, asked: phone, fidelity: .full),
        Row(
            description: "an accepted idiom of another layout: the place",
            policy: { $0.acceptedIdioms = ["pad": ["phone"]] }, archive: phone, asked: pad, fidelity: .place,
            reasons: ["layout-differs compact→regular"]),
        Row(
            description: "an accepted idiom of the same layout: the full state",
            policy: { $0.acceptedIdioms = ["pad": ["phone"]] }, archive: phone,
            asked: context(.pad, "42", layout: .compact), fidelity: .full),
        Row(
            description: "a layout that one side does not give does not differ",
            policy: { $0.acceptedIdioms = ["pad": ["phone"]] }, archive: phone, asked: context(.pad, "42"),
            fidelity: .full),
        Row(
            description: "accepted idioms are not symmetric", policy: { $0.acceptedIdioms = ["pad": ["phone"]] },
            archive: context(.pad, "42"), asked: context(.phone, "42"), fidelity: .place,
            reasons: ["idiom-not-accepted pad→phone"]),
        Row(
            description: "a target's own idiom is always accepted",
            policy: { $0.acceptedIdioms = ["pad": ["mac"]] },
            archive: context(.pad, "42"), asked: context(.pad, "42"), fidelity: .full),
        Row(
            description: "the reason lists the accepted idioms",
            policy: { $0.acceptedIdioms = ["pad": ["mac", "vision"]] }, archive: context(.phone, "42"),
            asked: context(.pad, "42"), fidelity: .place, reasons: ["idiom-not-accepted phone→pad, mac, vision"]),
        Row(
            description: "two pads may differ in layout", archive: context(.pad, "42", layout: .regular),
            asked: context(.pad, "42", layout: .compact), fidelity: .place,
            reasons: ["layout-differs regular→compact"]),
    ]

    static let stateVersions: [Row] = [
        Row(
            description: "with state versions, bundle and system versions do not matter",
            archive: context(.phone, "99", system: "19", state: 3),
            asked: context(.phone, "1", system: "15", state: 3), fidelity: .full),
        Row(
            description: "at most: an older state", archive: context(state: 2), asked: context(state: 3),
            fidelity: .full),
        Row(
            description: "at most: a newer state", archive: context(state: 4), asked: context(state: 3), fidelity: nil,
            reasons: ["state-version-newer 4→3"]),
        Row(
            description: "exact: the same", policy: { $0.stateVersions = .exact }, archive: context(state: 3),
            asked: context(state: 3), fidelity: .full),
        Row(
            description: "exact: an older one", policy: { $0.stateVersions = .exact }, archive: context(state: 2),
            asked: context(state: 3), fidelity: nil, reasons: ["state-version-differs 2→3"]),
        Row(
            description: "any: a newer one", policy: { $0.stateVersions = .any }, archive: context(state: .max),
            asked: context(state: .min), fidelity: .full),
        Row(
            description: "across platforms with state versions: the full state if the idiom is accepted",
            policy: { $0.acceptedIdioms = ["mac": ["phone"]] }, archive: context(.phone, "1", state: 3),
            asked: context(.mac, "9", state: 3), fidelity: .full),
        Row(
            description: "a state version of one side only is ignored", archive: context(.phone, "43", state: 3),
            asked: context(.phone, "42"), fidelity: .place, reasons: ["bundle-version-newer 43→42"]),
    ]

    static let bundleVersions: [Row] = [
        Row(
            description: "an older one", archive: context(.phone, "1.9"), asked: context(.phone, "1.10"),
            fidelity: .full),
        Row(
            description: "a newer one: the place", archive: context(.phone, "1.10"), asked: context(.phone, "1.9"),
            fidelity: .place, reasons: ["bundle-version-newer 1.10→1.9"]),
        Row(
            description: "a newer one without a place: nothing", archive: context(.phone, "452"),
            asked: context(.phone, "451"), hasPlace: false, fidelity: nil,
            reasons: ["bundle-version-newer 452→451", "no-place nil→nil"]),
        Row(
            description: "a phased release on two systems a year apart: the place",
            archive: context(.phone, "452", system: "27.0"), asked: context(.pad, "451", system: "26.5"),
            fidelity: .place,
            reasons: [
                "bundle-version-newer 452→451", "system-version-newer 27.0→26.5", "idiom-not-accepted phone→pad",
            ]),
        Row(
            description: "a newer one, allowed", policy: { $0.allowsNewerBundleVersion = true },
            archive: context(.phone, "1.10"), asked: context(.phone, "1.9"), fidelity: .full),
        Row(description: "1.0 is 1", archive: context(.phone, "1.0"), asked: context(.phone, "1"), fidelity: .full),
        Row(description: "both missing", archive: context(.phone), asked: context(.phone), fidelity: .full),
        Row(
            description: "a version missing at the requesting device counts as 0", archive: context(.phone, "1"),
            asked: context(.phone),
            fidelity: .place, reasons: ["bundle-version-newer 1→0"]),
        Row(
            description: "seed 61 · missing in the archive counts as 0",
            policy: { $0.minimumBundleVersion = "0.1" }, archive: context(.phone), asked: context(.phone, "1"),
            fidelity: nil, reasons: ["bundle-version-below-minimum 0→0.1"]),
        Row(
            description: "seed 61 · below the minimum", policy: { $0.minimumBundleVersion = "1.10" },
            archive: context(.phone, "1.9"), asked: context(.phone, "2"), fidelity: nil,
            reasons: ["bundle-version-below-minimum 1.9→1.10"]),
        Row(
            description: "at the minimum", policy: { $0.minimumBundleVersion = "1.10" },
            archive: context(.phone, "1.10.0"), asked: context(.phone, "2"), fidelity: .full),
        Row(
            description: "below the minimum, although state versions agree",
            policy: {
                $0.minimumBundleVersion = "1.10"
                $0.stateVersions = .any
            }, archive: context(.phone, "1.9", state: 3), asked: context(.phone, "2", state: 3), fidelity: nil,
            reasons: ["bundle-version-below-minimum 1.9→1.10"]),
        Row(
            description: "below the minimum, on another platform",
            policy: {
                $0.minimumBundleVersion = "1.10"
                $0.acceptedIdioms = ["mac": ["phone"]]
            }, archive: context(.phone, "1.9"), asked: context(.mac, "900"), fidelity: nil,
            reasons: ["bundle-version-below-minimum 1.9→1.10", "platform-differs phone→mac"]),
        Row(
            description: "at the minimum, on another platform", policy: { $0.minimumBundleVersion = "1.10" },
            archive: context(.phone, "1.10"), asked: context(.mac, "1"), fidelity: .place,
            reasons: ["platform-differs phone→mac", "idiom-not-accepted phone→mac"]),
        Row(
            description: "below the minimum, where newer versions are allowed",
            policy: {
                $0.minimumBundleVersion = "1.10"
                $0.allowsNewerBundleVersion = true
                $0.allowsNewerSystemVersion = true
                $0.maximumAge = nil
            }, archive: context(.phone, "1.9"), asked: context(.phone, "1"), fidelity: nil,
            reasons: ["bundle-version-below-minimum 1.9→1.10"]),
        Row(
            description: "phone and pad are one platform: versions compare", archive: context(.phone, "43"),
            asked: context(.pad, "42"), fidelity: .place,
            reasons: ["bundle-version-newer 43→42", "idiom-not-accepted phone→pad"]),
        Row(
            description: "across platforms versions do not compare: the place", archive: context(.phone, "1"),
            asked: context(.mac, "900"), fidelity: .place,
            reasons: ["platform-differs phone→mac", "idiom-not-accepted phone→mac"]),
        Row(
            description: "a watch is no phone: the place", archive: context(.phone, "2"), asked: context(.watch, "1"),
            fidelity: .place, reasons: ["platform-differs phone→watch", "idiom-not-accepted phone→watch"]),
        Row(
            description: "across platforms an accepted idiom still gives the place only",
            policy: { $0.acceptedIdioms = ["vision": ["pad"]] }, archive: context(.pad, "99"),
            asked: context(.vision, "1"), fidelity: .place, reasons: ["platform-differs pad→vision"]),
        Row(
            description: "across platforms without a place: nothing",
            policy: { $0.acceptedIdioms = ["tv": ["carPlay"]] }, archive: context(.carPlay, "1"),
            asked: context(.tv, "1"), hasPlace: false, fidelity: nil,
            reasons: ["platform-differs carPlay→tv", "no-place nil→nil"]),
    ]

    static let systemVersionsAndAge: [Row] = [
        Row(
            description: "a newer major", archive: context(.phone, "1", system: "18.0"),
            asked: context(.phone, "1", system: "17.9"), fidelity: .place,
            reasons: ["system-version-newer 18.0→17.9"]),
        Row(
            description: "a newer minor", archive: context(.phone, "1", system: "17.9"),
            asked: context(.phone, "1", system: "17.0"), fidelity: .full),
        Row(
            description: "an older major", archive: context(.phone, "1", system: "9.3"),
            asked: context(.phone, "1", system: "10.0"), fidelity: .full),
        Row(
            description: "a newer major, allowed", policy: { $0.allowsNewerSystemVersion = true },
            archive: context(.phone, "1", system: "18"), asked: context(.phone, "1", system: "17"), fidelity: .full),
        Row(
            description: "a system version that one side does not give", archive: context(.phone, "1", system: "18"),
            asked: context(.phone, "1"), fidelity: .full),
        Row(
            description: "system versions of different platforms do not compare",
            archive: context(.phone, "1", system: "18"), asked: context(.mac, "1", system: "14"), fidelity: .place,
            reasons: ["platform-differs phone→mac", "idiom-not-accepted phone→mac"]),
        Row(
            description: "system versions of phone and pad compare", archive: context(.phone, "1", system: "18"),
            asked: context(.pad, "1", system: "17"), fidelity: .place,
            reasons: ["system-version-newer 18→17", "idiom-not-accepted phone→pad"]),
        Row(description: "thirty days old", archive: phone, asked: phone, ageInDays: 30, fidelity: .full),
        Row(
            description: "seed 60 · older than thirty days", archive: phone, asked: phone, ageInDays: 30.5,
            fidelity: nil, reasons: ["too-old 2635200→2592000"]),
        Row(
            description: "no maximum age", policy: { $0.maximumAge = nil }, archive: phone, asked: phone,
            ageInDays: 9999, fidelity: .full),
        Row(
            description: "too old, although state versions agree", archive: context(state: 1),
            asked: context(state: 1), ageInDays: 31, fidelity: nil, reasons: ["too-old 2678400→2592000"]),
        Row(
            description: "all reasons are listed", policy: { $0.minimumBundleVersion = "50" },
            archive: Context(idiom: .phone, layout: .compact, bundleVersion: "43", systemVersion: "18"),
            asked: pad, ageInDays: 40, hasPlace: false, fidelity: nil,
            reasons: [
                "bundle-version-below-minimum 43→50", "bundle-version-newer 43→42", "system-version-newer 18→17.4",
                "too-old 3456000→2592000", "idiom-not-accepted phone→pad", "layout-differs compact→regular",
                "no-place nil→nil",
            ]),
    ]

    @Test(arguments: idiomsAndLayouts + stateVersions + bundleVersions + systemVersionsAndAge)
    func evaluatesArchive(_ row: Row) {
        var policy = CompatibilityPolicy()
        row.policy(&policy)
        let now = Timestamp(milliseconds: 1_750_000_000_000)
        let archive = Archive(
            id: ArchiveID(high: 0, low: 1), scene: SceneKey(owner: Fixture.owner, name: "main"),
            device: DeviceID(high: 0, low: 1), revision: Revision(rawValue: 1),
            capturedAt: now - .milliseconds(Int64(row.ageInDays * 86_400_000)), receivedAt: now, sequence: nil,
            context: row.archive, digest: Digest(0, 0, 0, 0), size: 1,
            summary: Archive.Summary(place: row.hasPlace ? ["Albums"] : []))
        let verdict = policy.evaluate(RestoreCandidate(archive), for: row.asked, at: now)
        #expect(verdict.fidelity == row.fidelity)
        #expect(
            verdict.reasons.map { "\($0.code) \($0.archive ?? "nil")→\($0.required ?? "nil")" } == row.reasons)
    }

    @Test func keepsTheFullStateToItsVersionByDefault() {
        let policy = CompatibilityPolicy()
        #expect(policy.acceptedIdioms.isEmpty && policy.allowsPlace && policy.stateVersions == .atMost)
        #expect(!policy.allowsNewerBundleVersion && policy.minimumBundleVersion == nil)
        #expect(!policy.allowsNewerSystemVersion && policy.maximumAge == .days(30))
    }
}
