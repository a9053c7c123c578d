/// A 128-bit identifier of an entity. Its text form is a UUID in lower case: `8-4-4-4-12` hexadecimal digits.
package struct ID<Entity>: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func random(_ source: some RandomSource) -> ID {
        let bytes = source.bytes(16)
        // RFC 9562 section 5.4: version 4, variant 10.
        return ID(
            high: word(bytes[..<8]) & ~0xF000 | 0x4000, low: word(bytes[8...]) & ~(0xC0 << 56) | 0x80 << 56)
    }

    /// Parses a UUID in either case. Nil for any other text.
    package init?(_ text: some Collection<UInt8>) {
        guard
            let words = text.withContiguousStorageIfAvailable(UUIDText.words)
                ?? [UInt8](text).withUnsafeBufferPointer(UUIDText.words)
        else { return nil }
        self.init(high: words.high, low: words.low)
    }

    package init?(_ text: String) { self.init(text.utf8) }

    package var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var digit = 0
            for position in 0..<36 {
                if position == 8 || position == 13 || position == 18 || position == 23 {
                    buffer[position] = 0x2D
                    continue
                }
                let word = digit < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: word >> (60 - UInt64(digit % 16) * 4)) & 0xF
                buffer[position] = value < 10 ? 0x30 + value : 0x57 + value
                digit += 1
            }
            return 36
        }
    }

    package static func < (left: ID, right: ID) -> Bool { (left.high, left.low) < (right.high, right.low) }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Parses UUIDs. Not part of the generic `ID`, so this code is compiled once and not for every entity.
private enum UUIDText {
    static func words(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
        guard text.count == 36 else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for position in 0..<36 {
            let byte = text[position]
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == 0x2D else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x57
            case 0x41...0x46: digit = byte - 0x37
            default: return nil
            }
            // The high word holds the sixteen digits before the third dash, the low word the sixteen after it.
            if position < 18 {
                words.high = words.high << 4 | UInt64(digit)
            } else {
                words.low = words.low << 4 | UInt64(digit)
            }
        }
        return words
    }
}

package typealias AppID = ID<App>
package typealias UserID = ID<User>
package typealias DeviceID = ID<Device>
package typealias ArchiveID = ID<Archive>
package typealias InstallationID = ID<Installation>

/// Marks an `ID` as a user's identifier. It has no values, because the service stores no properties of a user.
package enum User {}

/// The number that the server assigns to a change. A user's revisions always rise.
package struct Revision: RawRepresentable, Sendable, Hashable, Comparable {
    package var rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (left: Revision, right: Revision) -> Bool { left.rawValue < right.rawValue }
}

/// A user within an app: the key of all data stored for the user.
package struct UserKey: Sendable, Hashable {
    package var app: AppID
    package var user: UserID
    package init(app: AppID, user: UserID) {
        self.app = app
        self.user = user
    }

    /// A key for work on all users of an app. No user has the id 0.
    package static func everyone(of app: AppID) -> UserKey { UserKey(app: app, user: UserID(high: 0, low: 0)) }
}

/// A scene of a user. The app chooses the name by the window's role or document (`main`, `editor`), never from a
/// session's UUID.
package struct SceneKey: Sendable, Hashable {
    package var owner: UserKey
    package var name: String
    package init(owner: UserKey, name: String) {
        self.owner = owner
        self.name = name
    }
}
