import RestorationService

/// A list of texts as one: each led by its number of bytes (`4:Home,6:Photos,`), so that no text needs escaping and a
/// person can read the column.
enum Netstrings {
    static func join(_ texts: [String]) -> String {
        var joined = ""
        for text in texts { joined += "\(text.utf8.count):\(text)," }
        return joined
    }

    static func split(_ joined: String) throws(StoreError) -> [String] {
        var texts: [String] = []
        var rest = joined.utf8[...]
        while !rest.isEmpty {
            guard
                let colon = rest.firstIndex(of: UInt8(ascii: ":")), let count = Int(Substring(rest[..<colon])),
                count >= 0, case let text = rest[rest.index(after: colon)...].prefix(count), text.count == count,
                rest[text.endIndex...].first == UInt8(ascii: ",")
            else { throw .corrupt("A list of texts cannot be read.") }
            texts.append(String(decoding: text, as: UTF8.self))
            rest = rest[text.endIndex...].dropFirst()
        }
        return texts
    }
}
