/// A received response. If the body was sent in chunks, `body` has the decoded content.
struct ReceivedResponse: Sendable {
    var status: Int
    var fields: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the first response in `bytes`, and the length of this response. Nil if the response is incomplete.
    static func parse(_ bytes: [UInt8], hasBody: Bool) -> (ReceivedResponse, Int)? {
        guard let headEnd = end(of: "\r\n\r\n", in: bytes[...]) else { return nil }
        let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        guard hasBody, status >= 200, status != 204, status != 304 else {
            return (ReceivedResponse(status: status, fields: fields, body: []), headEnd)
        }
        if fields["transfer-encoding"] == "chunked" {
            guard let (body, length) = parseChunks(bytes[headEnd...]) else { return nil }
            return (ReceivedResponse(status: status, fields: fields, body: body), length)
        }
        let length = headEnd + (fields["content-length"].flatMap { Int($0) } ?? 0)
        guard bytes.count >= length else { return nil }
        return (ReceivedResponse(status: status, fields: fields, body: Array(bytes[headEnd..<length])), length)
    }

    /// Returns all responses in `bytes`. Nil if `bytes` contains anything else.
    static func parseAll(_ bytes: [UInt8]) -> [ReceivedResponse]? {
        var rest = bytes
        var responses: [ReceivedResponse] = []
        while !rest.isEmpty {
            guard let (response, length) = parse(rest, hasBody: true) else { return nil }
            responses.append(response)
            rest.removeFirst(length)
        }
        return responses
    }

    private static func parseChunks(_ bytes: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        var body: [UInt8] = []
        var rest = bytes
        while let lineEnd = end(of: "\r\n", in: rest) {
            let line = String(decoding: rest[rest.startIndex..<lineEnd - 2], as: UTF8.self)
            guard let size = Int(line, radix: 16), rest.endIndex >= lineEnd + size + 2 else { return nil }
            body += rest[lineEnd..<lineEnd + size]
            rest = rest[(lineEnd + size + 2)...]
            if size == 0 { return (body, rest.startIndex) }
        }
        return nil
    }

    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let mark = Array(mark.utf8)
        var index = bytes.startIndex
        while index + mark.count <= bytes.endIndex {
            if bytes[index..<index + mark.count].elementsEqual(mark) { return index + mark.count }
            index += 1
        }
        return nil
    }
}
