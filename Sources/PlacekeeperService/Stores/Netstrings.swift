package import PlacekeeperCore

/// Encodes a list of strings as one string, such as `4:Home,6:Photos,`. Each string is preceded by its length in bytes,
/// so nothing needs escaping and the column stays readable.
package enum Netstrings {
    package static func join(_ texts: [String]) -> String {
        var joined = ""
        for text in texts { joined += "\(text.utf8.count):\(text)," }
        return joined
    }

    package static func split(_ joined: UnsafeRawBufferPointer) throws(StoreError) -> [String] {
        var texts: [String] = []
        var start = 0
        while start < joined.count {
            var count = 0
            while start < joined.count, joined[start] != UInt8(ascii: ":") {
                // No row is longer than 2 GB, so a greater count means the row is damaged.
                guard case let digit = Int(joined[start]) - 0x30, 0...9 ~= digit, count < 1 << 31 else { throw damaged }
                count = count * 10 + digit
                start += 1
            }
            let end = start + 1 + count
            guard end < joined.count, joined[end] == UInt8(ascii: ",") else { throw damaged }
            texts.append(String(decoding: joined[(start + 1)..<end], as: UTF8.self))
            start = end + 1
        }
        return texts
    }

    private static var damaged: StoreError { .corrupt("A list of texts cannot be read.") }
}
