import PlacekeeperCore
import PlacekeeperService

/// A message between instances about users with new changes.
struct Hint: Equatable {
    /// The channel's name in the database.
    static let channel = "placekeeper"
    /// The server limits texts to fewer than 8,000 bytes.
    private static let usersInText = 120

    /// The instance that made the changes.
    var instance: [UInt8]
    var users: [UserKey]

    init(instance: [UInt8], users: [UserKey]) {
        self.instance = instance
        self.users = users
    }

    /// The texts of the hint: the instance, then the app and id of each user, in hexadecimal.
    var texts: [String] {
        let sender = Self.digits(of: instance)
        return stride(from: 0, to: users.count, by: Self.usersInText).map { start in
            users[start..<min(start + Self.usersInText, users.count)].reduce(sender) { text, user in
                text + Self.digits(of: user.app.bytes + user.user.bytes)
            }
        }
    }

    /// Parses a text. `nil` if it isn't a hint: anyone with access to the database can send texts.
    init?(_ text: [UInt8]) {
        let (senderLength, userLength) = (32, 64)
        guard text.count >= senderLength, (text.count - senderLength).isMultiple(of: userLength),
            let bytes = Self.bytes(text)
        else { return nil }
        instance = Array(bytes.prefix(senderLength / 2))
        let rest = bytes.dropFirst(senderLength / 2)
        guard !rest.isEmpty else { return nil }
        users = stride(from: rest.startIndex, to: rest.endIndex, by: userLength / 2).map { start in
            let words = (0..<4).map { word in
                rest[(start + 8 * word)..<(start + 8 * word + 8)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            }
            return UserKey(
                app: AppID(high: words[0], low: words[1]), user: UserID(high: words[2], low: words[3]))
        }
    }

    private static func digits(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(_ digits: [UInt8]) -> [UInt8]? {
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
