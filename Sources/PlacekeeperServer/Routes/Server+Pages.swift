import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// Adds a `Link` to the next page (RFC 8288), which starts after `next`. The link sets `parameter` and `limit`, and
    /// keeps the request's other query parameters.
    func link(
        _ parameter: StaticString, _ next: String, _ limit: Int, _ requestContext: RequestContext,
        _ response: inout Response
    ) {
        let head = requestContext.head
        let others = (head.query.map { head.bytes[$0] } ?? []).split(separator: 0x26).filter { pair in
            let name = pair.prefix { $0 != 0x3D }
            return !name.elementsEqual(parameter.description.utf8) && !name.elementsEqual("limit".utf8)
        }
        let query = others.map { String(decoding: $0, as: UTF8.self) } + ["\(parameter)=\(next)", "limit=\(limit)"]
        let path = String(decoding: head.bytes[head.path], as: UTF8.self)
        // A request target may contain angle brackets. They would end the target of a link, so they are
        // percent-encoded.
        let target = "\(path)?\(query.joined(separator: "&"))".replacing("<", with: "%3C").replacing(">", with: "%3E")
        response.fields.add(.link, "<\(target)>; rel=\"next\"")
    }
}

extension RequestContext {
    /// Returns `limit`, the maximum number of items on a page.
    func pageLimit() throws(Problem) -> Int { try number("limit", in: 1...Limits.page) ?? Limits.page }

    /// Returns `cursor`, the position at which the page starts. Nil for the first page.
    func cursor<Position>(_ read: (String) -> Position?) throws(Problem) -> Position? {
        guard let text = try query("cursor") else { return nil }
        guard !text.isEmpty, let position = read(text) else {
            throw .malformedQuery("cursor", "The cursor is invalid. Use the next member of the previous page.")
        }
        return position
    }
}
