import Foundation
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Plays the sample apps in every layout and situation, and compares each result with docs/restoration-matrix.md.
@MainActor
struct RestorationMatrixTests {
    private let document: RestorationMatrix

    init() throws { document = try RestorationMatrix() }

    @Test func listsExactlyThePlayedSituations() {
        #expect(document.situations == Set(Situation.allCases.map(\.rawValue)))
    }

    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func changesItsAppearanceWhenUsed(_ sample: Sample, _ layout: DeviceLayout) throws {
        let device = PlayedDevice(sample, layout)
        let left = try device.use()
        let fresh = device.fresh().launched()
        let browsed = try device.fresh().use(opening: false)
        #expect(Set([left, fresh, browsed]).count == 3)
        #expect(left.visible.last != browsed.visible.last)
    }

    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func restoresStateAsTheTableSays(_ sample: Sample, _ layout: DeviceLayout) async throws {
        for situation in Situation.allCases {
            // The full state of a newer version is not restored, and its place is.
            let outcome =
                situation == .newer
                ? try await situation.outcome(for: sample, layout, on: layout)
                : try situation.outcome(for: sample, layout)
            let expected = try #require(document.cell(situation.rawValue, layout.words))
            #expect(outcome == expected, "\(situation.rawValue)")
        }
    }

    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func restoresPlaceAsTheTableSays(_ sample: Sample, _ layout: DeviceLayout) async throws {
        for other in DeviceLayout.allCases where other != layout {
            let way = "\(layout.words) → \(other.words)"
            for situation in Situation.allCases {
                let outcome = try await situation.outcome(for: sample, layout, on: other)
                let expected = try #require(document.cell(situation.rawValue, way))
                #expect(outcome == expected, "\(situation.rawValue), \(way)")
            }
        }
    }
}

/// The tables of docs/restoration-matrix.md.
private struct RestorationMatrix {
    private var cells: [String: [String: String]] = [:]

    init() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let text = try String(contentsOf: root.appending(path: "docs/restoration-matrix.md"), encoding: .utf8)
        var heads: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                heads = []
                continue
            }
            let row = line.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if heads.isEmpty {
                heads = row
            } else if row[0] != "---" {
                cells[row[0]] = (cells[row[0]] ?? [:]).merging(zip(heads, row).dropFirst()) { $1 }
            }
        }
    }

    /// The situations of the tables that have layouts as columns.
    var situations: Set<String> { Set(cells.filter { $0.value.keys.contains(DeviceLayout.tabs.words) }.keys) }

    /// Returns the text of a cell. Nil if no table has the cell.
    func cell(_ row: String, _ column: String) -> String? { cells[row]?[column] }
}

extension DeviceLayout {
    fileprivate var words: String {
        switch self {
        case .tabs: "phone, tabs"
        case .split: "pad, split"
        case .collapsed: "pad, collapsed"
        }
    }
}
