import PlacekeeperConcurrency
import PlacekeeperHTTP

/// The id of a request in responses and logs.
enum RequestID: Sendable {
    /// The id that the client sent.
    case given(ArraySlice<UInt8>)
    case made(UInt64)

    /// Returns whether a client's id has 1 to 64 characters, all safe in a log.
    static func isSound(_ value: ArraySlice<UInt8>) -> Bool {
        (1...64).contains(value.count)
            && value.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// Adds the id as the field `X-Request-ID`.
    func add(to fields: inout ResponseFields) {
        switch self {
        case .given(let value): fields.add(.requestID, value)
        case .made(let number):
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
                digits.write(hexadecimal: number)
                fields.add(.requestID, digits)
            }
        }
    }

    var text: String {
        switch self {
        case .given(let value): String(decoding: value, as: UTF8.self)
        case .made(let number):
            String(unsafeUninitializedCapacity: 16) { digits in
                digits.write(hexadecimal: number)
                return 16
            }
        }
    }
}

/// Creates ids that don't repeat within a process and don't reveal the number of requests: splitmix64 of a counter with
/// a random start. The ids are not secrets.
final class RequestIDs: Sendable {
    private let counter = Counters(1, from: UInt64.random(in: .min ... .max))

    func next() -> UInt64 {
        var word = counter.add(0x9E37_79B9_7F4A_7C15, at: 0)
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// Returns the id that the client sent if it is sound, and otherwise a new one.
    func id(of head: RequestHead) -> RequestID {
        if let given = head[.requestID], RequestID.isSound(given) { return .given(given) }
        return .made(next())
    }
}
