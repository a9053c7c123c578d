@testable import PlacekeeperHTTP
import Testing

@Suite struct GrammarTests {
    @Test func classifiesTokenAndRegisteredNameBytes() {
        let alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let token = Set((alphanumeric + "!#$%&'*+-.^_`|~").utf8)
        let name = Set((alphanumeric + "-._~!$&'()*+,;=").utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(Grammar.isToken(byte) == token.contains(byte), "\(byte)")
            #expect(Grammar.isRegisteredName(byte) == name.contains(byte), "\(byte)")
        }
    }

    @Test func readsHexadecimalDigits() {
        for byte in UInt8.min...UInt8.max {
            let value = Character(Unicode.Scalar(byte)).hexDigitValue
            #expect(Grammar.hexValue(byte).map(Int.init) == value, "\(byte)")
        }
    }

    @Test func findsTheFirstControlByteAtEveryPosition() {
        for byte in UInt8.min...UInt8.max {
            for length in 1...20 {
                for index in 0..<length {
                    var bytes = [UInt8](repeating: 0x80, count: length)
                    bytes[index] = byte
                    // The search subtracts from eight bytes at once. A borrow could make the next byte look like a
                    // control byte, so the test uses 0x20, the lowest byte that is not a control byte.
                    if index + 1 < length { bytes[index + 1] = 0x20 }
                    let isControl = byte < 0x20 || byte == 0x7F
                    let found = bytes.withUnsafeBytes { Grammar.indexOfControl(in: 0..<length, of: $0) }
                    guard found == (isControl ? index : length) else {
                        Issue.record("byte \(byte) at \(index) of \(length) was found at \(found)")
                        return
                    }
                }
            }
        }
    }

    @Test func searchesOnlyInsideTheRange() {
        let bytes = [UInt8](repeating: 0, count: 3) + [UInt8](repeating: 0x61, count: 9) + [0]
        #expect(bytes.withUnsafeBytes { Grammar.indexOfControl(in: 3..<12, of: $0) } == 12)
        #expect(bytes.withUnsafeBytes { Grammar.indexOfControl(in: 3..<13, of: $0) } == 12)
        #expect(bytes.withUnsafeBytes { Grammar.trimmed(2..<2, of: $0) } == 2..<2)
    }

    @Test func comparesWordsIgnoringCase() {
        func equalsIgnoringCase(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBytes { Grammar.equalsIgnoringCase("keep-alive", 0..<$0.count, of: $0) }
        }
        #expect(equalsIgnoringCase("Keep-ALIVE"))
        #expect(!equalsIgnoringCase("keep-aliv"))
        #expect(!equalsIgnoringCase("keep-alivee"))
        #expect(!equalsIgnoringCase("keep\ralive"))
        #expect(!equalsIgnoringCase("keep_alive"))
    }
}
