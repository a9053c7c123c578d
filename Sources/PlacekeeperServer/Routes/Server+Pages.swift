import HTTPCodec
import RestorationService

extension Server {
    /// Points to the next page (RFC 8288), which begins behind `next`. What else was asked stays the same.
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
        // A target may hold the marks that end a link; a link may not.
        let target = "\(path)?\(query.joined(separator: "&"))".replacing("<", with: "%3C").replacing(">", with: "%3E")
        response.fields.add(.link, "<\(target)>; rel=\"next\"")
    }
}

extension RequestContext {
    /// `limit`: how many items a page may have.
    func pageLimit() throws(Problem) -> Int { try number("limit", in: 1...Limits.page) ?? Limits.page }

    /// `cursor`: where the page begins, as an earlier one gave it; nil for the first.
    func cursor<Position>(_ read: (String) -> Position?) throws(Problem) -> Position? {
        guard let text = try query("cursor") else { return nil }
        guard !text.isEmpty, let position = read(text) else {
            throw .malformedQuery("cursor", "The cursor is none that was given out.")
        }
        return position
    }
}
