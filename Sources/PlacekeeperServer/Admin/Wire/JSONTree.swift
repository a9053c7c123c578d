import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService

/// A JSON value in a response of the admin API. A tree takes less code than a `Codable` type for each response, and no
/// other target uses these responses.
indirect enum JSONTree: Sendable {
    case text(String)
    case number(Int64)
    case truth(Bool)
    case list([JSONTree])
    /// The members, in order. Members without a value are left out.
    case object([(StaticString, JSONTree?)])
    /// An object with the members of several objects.
    case joined([JSONTree])
    /// Encoded JSON.
    case encoded([UInt8])

    /// A page of a list. `next` is the cursor of the next page, or nil on the last page.
    init(page items: [JSONTree], next: String? = nil) {
        self = ["items": .list(items), "next": next.map(JSONTree.text)]
    }

    static func time(_ time: Timestamp) -> JSONTree { .text(Time(milliseconds: time.milliseconds).description) }
    static func id<Entity>(_ id: ID<Entity>) -> JSONTree { .text(id.description) }
    static func number(_ number: Int) -> JSONTree { .number(Int64(number)) }
    static func numbers(_ numbers: [Int]) -> JSONTree { .list(numbers.map { .number($0) }) }

    /// The value in UTF-8.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var meter = WorkMeter()
        write(to: &bytes, &meter)
        return bytes
    }

    private func write(to bytes: inout [UInt8], _ meter: inout WorkMeter) {
        meter.consume(4)
        switch self {
        case .text(let text):
            meter.consume(bytes: text.utf8.count)
            bytes.append(json: text)
        case .number(let number): bytes += "\(number)".utf8
        case .truth(let isTrue): bytes += (isTrue ? "true" : "false").utf8
        case .encoded(let encoded): bytes += encoded
        case .list(let values):
            bytes += "[".utf8
            for (index, value) in values.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                value.write(to: &bytes, &meter)
            }
            bytes += "]".utf8
        case .object, .joined:
            bytes += "{".utf8
            var isFirst = true
            writeMembers(to: &bytes, &isFirst, &meter)
            bytes += "}".utf8
        }
    }

    private func writeMembers(to bytes: inout [UInt8], _ isFirst: inout Bool, _ meter: inout WorkMeter) {
        switch self {
        case .joined(let objects): for object in objects { object.writeMembers(to: &bytes, &isFirst, &meter) }
        case .object(let members):
            for case (let name, let value?) in members {
                bytes += (isFirst ? "\"\(name)\":" : ",\"\(name)\":").utf8
                isFirst = false
                value.write(to: &bytes, &meter)
            }
        default: break
        }
    }
}

extension JSONTree: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral members: (StaticString, JSONTree?)...) {
        self = .object(members)
    }
}
