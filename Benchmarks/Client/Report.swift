import Foundation

/// The results of the benchmark.
struct Report {
    /// A line of the table.
    struct Row: Codable {
        var name: String
        var unit: String
        var values: [String: Double]
        /// The value that has a goal.
        var goalOf: String
        var goal: Double
        var isMet: Bool

        init(_ name: String, unit: String, _ values: [String: Double], goal: String, atMost limit: Double) {
            (self.name, self.unit, self.values, goalOf, self.goal) = (name, unit, values, goal, limit)
            isMet = values[goal].map { $0 <= limit } ?? false
        }

        /// A line with the percentiles of samples.
        init(_ name: String, unit: String, _ samples: [Double], goal: String, atMost limit: Double) {
            let sorted = samples.sorted()
            func percentile(_ share: Double) -> Double {
                sorted.isEmpty ? .nan : sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
            }
            let values = [
                "median": percentile(0.5), "p99": percentile(0.99), "p99.9": percentile(0.999),
                "maximum": sorted.last ?? .nan, "samples": Double(sorted.count),
            ]
            self.init(name, unit: unit, values, goal: goal, atMost: limit)
        }
    }

    private(set) var rows: [Row] = []

    mutating func add(_ row: Row) { rows.append(row) }

    func print(asJSON: Bool) throws {
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            Swift.print(String(decoding: try encoder.encode(rows), as: UTF8.self))
            return
        }
        for row in rows {
            let values = Self.order.compactMap { name in row.values[name].map { "\(name) \(Self.text($0))" } }
            let goal = "\(row.goalOf) at most \(Self.text(row.goal))\(row.isMet ? "" : ", missed")"
            let name = row.name.padding(toLength: max(36, row.name.count), withPad: " ", startingAt: 0)
            Swift.print("\(name) \(row.unit): \(values.joined(separator: ", ")) (goal: \(goal))")
        }
    }

    private static let order = [
        "median", "p99", "p99.9", "maximum", "samples", "time", "durable", "kilobytes", "with", "without", "difference",
    ]

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(format: "%.3f", number)
    }

    /// Names the measurement that runs, on a terminal.
    static func note(_ text: String) {
        guard isatty(2) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}

extension Duration {
    var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 }
}
