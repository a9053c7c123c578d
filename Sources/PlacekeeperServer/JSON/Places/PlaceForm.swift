import PlacekeeperHTTP

/// The names of a place as JSON (docs/place-format.md).
enum PlaceForm {
    static let mediaType: StaticString = "application/vnd.placekeeper.place+json"
    /// The version of the form, and the only one that can be read.
    static let version: Int64 = 1
    /// Every integer up to this magnitude is a number in JSON, and exact in JavaScript.
    static let maximumInteger = 1 << 53 - 1

    /// The names of marks: an object whose only member has one of these names stands for a value that JSON doesn't have.
    enum Mark: String {
        case integer = "$integer"
        case real = "$real"
        case data = "$data"
        case date = "$date"
        case reference = "$reference"
        case dictionary = "$dictionary"
    }

    /// Whether an object with this member is a mark.
    static func isMark(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: "$") }
}

extension RequestHead {
    /// Whether the body is a place as JSON.
    var bringsPlace: Bool { mediaType == PlaceForm.mediaType.description }

    /// The media type of the body, in lower case and without parameters. Nil without the field.
    var mediaType: String? {
        guard let type = self[.contentType]?.prefix(while: { $0 != UInt8(ascii: ";") }) else { return nil }
        var text = String(decoding: type, as: UTF8.self).lowercased()
        while text.utf8.last == 0x20 || text.utf8.last == 0x09 { text.removeLast() }
        return text
    }
}
