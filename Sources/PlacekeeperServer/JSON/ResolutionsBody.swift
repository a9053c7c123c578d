import PlacekeeperAPI

extension Wire.Resolutions {
    /// The resolutions in JSON: the same bytes as from `JSONBody.encode`, but without Foundation's encoder. For a
    /// thousand items, that encoder takes longer than resolving them.
    var json: [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(
            results.reduce(32) { $0 + 96 + $1.source.utf8.count + ($1.identifier?.utf8.count ?? 0) })
        body += #"{"results":["#.utf8
        for (index, result) in results.enumerated() {
            if index > 0 { body += ",".utf8 }
            body +=
                result.ambiguous ? #"{"ambiguous":true,"confidence":"#.utf8 : #"{"ambiguous":false,"confidence":"#.utf8
            body += "\(result.confidence)".utf8
            body += #","identifier":"#.utf8
            if let identifier = result.identifier { body.append(json: identifier) } else { body += "null".utf8 }
            body += #","source":"#.utf8
            body.append(json: result.source)
            body += #","step":"#.utf8
            body.append(json: result.step.rawValue)
            body += "}".utf8
        }
        body += "]}".utf8
        return body
    }
}

extension [UInt8] {
    /// Appends a Swift string as a JSON string (RFC 8259 section 7).
    mutating func append(json text: String) {
        var text = text
        append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                return append(contentsOf: utf8)
            }
            for byte in utf8 {
                if byte < 0x20 {
                    self += (byte < 0x10 ? "\\u000" : "\\u00").utf8
                    self += String(byte, radix: 16).utf8
                } else {
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append(UInt8(ascii: "\\")) }
                    append(byte)
                }
            }
        }
        append(UInt8(ascii: "\""))
    }
}
