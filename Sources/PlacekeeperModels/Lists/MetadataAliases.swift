public import Foundation

/// Aliases made from an item's metadata, for items without an identifier that is the same on every device.
///
/// They are evidence, never proof: two items may have the same metadata, and a person may edit it on one device. So
/// don't declare their kinds in `ModelAssociation.uniqueAliases`.
///
/// Letter case and spaces don't matter, and each field counts up to 150 bytes.
public enum MetadataAliases {
    /// Returns `song:` with the title and the artist. With an album, also `track:` with all fields and, with a number,
    /// `number:` with all fields but the title. Returns no aliases without a title.
    public static func track(
        title: String?, artist: String?, album: String? = nil, disc: Int? = nil, number: Int? = nil
    ) -> [String] {
        guard let title = field(title) else { return [] }
        let artist = field(artist) ?? ""
        let song = "song:\(title)|\(artist)"
        guard let album = field(album) else { return [song] }
        let track = "track:\(title)|\(artist)|\(album)|\(text(disc))|\(text(number))"
        guard let number else { return [song, track] }
        return [song, track, "number:\(artist)|\(album)|\(text(disc))|\(number)"]
    }

    /// Returns `book:` with the title, the author and the volume of a set. Returns no aliases without a title.
    public static func book(title: String?, author: String?, volume: Int? = nil) -> [String] {
        guard let title = field(title) else { return [] }
        return ["book:\(title)|\(field(author) ?? "")|\(text(volume))"]
    }

    /// Returns `capture:` with the time of capture in milliseconds and the size in pixels. Returns no aliases for a time
    /// that milliseconds can't express.
    public static func photo(captured: Date, width: Int, height: Int) -> [String] {
        guard let milliseconds = Int64(exactly: (captured.timeIntervalSince1970 * 1000).rounded()) else { return [] }
        return ["capture:\(milliseconds)|\(width)x\(height)"]
    }

    /// The field without differences that don't matter. `nil` if it is empty.
    private static func field(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        var field = ""
        var isBetweenWords = false
        for scalar in text.precomposedStringWithCanonicalMapping.lowercased().unicodeScalars {
            guard !isSeparator(scalar) else {
                isBetweenWords = !field.isEmpty
                continue
            }
            if isBetweenWords { field += " " }
            isBetweenWords = false
            field.unicodeScalars.append(scalar)
        }
        return field.isEmpty ? nil : shortened(field)
    }

    /// Returns the first characters of a text, up to 150 bytes. `nil` if the first character is longer.
    private static func shortened(_ text: String) -> String? {
        guard text.utf8.count > 150 else { return text }
        var length = 0
        let characters = text.prefix { character in
            length += character.utf8.count
            return length <= 150
        }
        return characters.isEmpty ? nil : String(characters)
    }

    /// The service refuses aliases with control characters, and `|` separates the fields.
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80
            ? scalar.value <= 0x20 || scalar.value == 0x7F || scalar == "|"
            : scalar.value < 0xA0 || scalar.properties.isWhitespace
    }

    private static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "" }
}
