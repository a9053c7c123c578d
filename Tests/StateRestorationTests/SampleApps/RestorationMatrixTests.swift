import Foundation
import SampleApps
import StateRestoration
import Testing

/// The sample apps in every layout and situation, and the table of what comes back (docs/restoration-matrix.md).
@MainActor
struct RestorationMatrixTests {
    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func leavesTracesThatAreSeen(_ sample: Sample, _ layout: DeviceLayout) throws {
        let device = PlayedDevice(sample, layout)
        let left = try device.use()
        let fresh = device.fresh().launched()
        let browsed = try device.fresh().use(opening: false)
        #expect(Set([left, fresh, browsed]).count == 3)
        #expect(left.visible.last != browsed.visible.last)
    }

    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func comesBackAsTheTableSays(_ sample: Sample, _ layout: DeviceLayout) throws {
        for situation in Situation.allCases {
            let outcome = try situation.outcome(for: sample, layout)
            let expected =
                switch situation {
                case .gone: "the list, where it was"
                case .tooOld, .newer, .crash: "as at the first launch"
                default: "everything"
                }
            #expect(outcome == expected, "\(situation.rawValue)")
        }
    }

    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func goesToTheSamePlaceInAnotherLayout(_ sample: Sample, _ layout: DeviceLayout) async throws {
        for other in DeviceLayout.allCases where other != layout {
            for situation in Situation.allCases {
                let outcome = try await situation.outcome(for: sample, layout, on: other)
                let expected =
                    switch situation {
                    case .gone: "the list, where it was"
                    case .tooOld, .newer, .crash: "as at the first launch"
                    default: "the item"
                    }
                #expect(outcome == expected, "\(situation.rawValue), on \(other)")
            }
        }
    }

    @Test func isInTheDocumentAsItIs() async throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let document = try String(contentsOf: root.appending(path: "docs/restoration-matrix.md"), encoding: .utf8)
        let layouts = DeviceLayout.allCases
        var state = Table(["What happened"] + layouts.map(\.words))
        for situation in Situation.allCases {
            let cells = try layouts.map { layout in
                try words(Sample.allCases.map { try situation.outcome(for: $0, layout) })
            }
            state.add([situation.rawValue] + cells)
        }
        #expect(document.contains(state.text), "\(state.text)")

        let ways = layouts.flatMap { from in layouts.filter { $0 != from }.map { (from, $0) } }
        var place = Table(["What happened"] + ways.map { "\($0.words) → \($1.words)" })
        for situation in Situation.allCases {
            var cells = [situation.rawValue]
            for (from, other) in ways {
                var outcomes: [String?] = []
                for sample in Sample.allCases {
                    outcomes.append(try await situation.outcome(for: sample, from, on: other))
                }
                cells.append(words(outcomes))
            }
            place.add(cells)
        }
        #expect(document.contains(place.text), "\(place.text)")
    }

    /// What holds for all apps, or all that holds for one.
    private func words(_ outcomes: [String?]) -> String {
        Set(outcomes.map { $0 ?? "nothing of that" }).sorted().joined(separator: ", or ")
    }
}

/// A table as Markdown has it.
private struct Table {
    private(set) var text: String

    init(_ heads: [String]) {
        text = "| \(heads.joined(separator: " | ")) |\n|\(String(repeating: "---|", count: heads.count))\n"
    }

    mutating func add(_ cells: [String]) { text += "|\(cells.joined(separator: "|"))|\n" }
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
