/// A time span as people write it: a number and a unit, such as `30m`, `12h` or `7d`.
package struct TimeSpan: Sendable, Hashable {
    package enum Unit: Character, Sendable {
        case seconds = "s"
        case minutes = "m"
        case hours = "h"
        case days = "d"

        fileprivate var seconds: Int {
            switch self {
            case .seconds: 1
            case .minutes: 60
            case .hours: 3600
            case .days: 86_400
            }
        }
    }

    package var count: Int
    package var unit: Unit

    package init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    package static func days(_ count: Int) -> TimeSpan { TimeSpan(count, .days) }

    package var duration: Duration { .seconds(min(max(count, 0), 1_000_000_000) * unit.seconds) }
}

extension TimeSpan: LosslessStringConvertible, Codable {
    /// - Parameter description: up to nine digits, then `s`, `m`, `h` or `d`.
    package init?(_ description: String) {
        guard let unit = description.last.flatMap(Unit.init), (1...9).contains(description.utf8.count - 1),
            description.utf8.dropLast().allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(description.dropLast())
        else { return nil }
        self.init(count, unit)
    }

    package var description: String { "\(count)\(unit.rawValue)" }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let span = TimeSpan(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "A time span is a number and s, m, h or d.")
        }
        self = span
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
