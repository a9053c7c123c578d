import HTTPCodec
import Synchronization

/// The id that a request is known by in answers and logs.
enum RequestID: Sendable {
    /// The client's own, at this range of the head's bytes.
    case given(ArraySlice<UInt8>)
    case made(UInt64)

    /// A client's id is kept only in a form that is harmless in a log.
    static func isSound(_ value: ArraySlice<UInt8>) -> Bool {
        (1...64).contains(value.count)
            && value.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// Adds the field that echoes it.
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

/// Makes ids that do not repeat and do not count requests out loud: splitmix64 over a counter with a random start.
/// They are names, no secrets.
final class RequestIDs: Sendable {
    private let counter = Atomic<UInt64>(UInt64.random(in: .min ... .max))

    func next() -> UInt64 {
        var word = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
