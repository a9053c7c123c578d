/// Names of values that are never saved, such as `password`. Names are compared word by word, ignoring case: the entry
/// `card number` denies `cardNumber`, `card_number` and `myCardNumber2`, and the entry `pin` doesn't deny `shopping`.
public struct DenyList: Sendable, Hashable {
    /// The denied names.
    public var entries: [String]
    /// Names that often, but not always, belong to a secret, such as `pin`. They don't deny a parameter that the app's
    /// manifest declares: by declaring the parameter, the app has said that its value belongs to the place.
    public var guesses: [String]

    /// Creates a list.
    public init(_ entries: [String], guesses: [String] = []) {
        self.entries = entries
        self.guesses = guesses
    }

    /// Passwords, codes, keys, and numbers of cards, accounts and people. The guesses are `pin`, `secret` and `token`.
    public static let standard = DenyList(
        [
            "password", "passwords", "passwd", "passcode", "passphrase", "otp", "one time code", "credential",
            "credentials", "private key", "api key", "recovery code", "security code", "card number", "cvc", "cvv",
            "iban", "account number", "ssn", "social security",
        ], guesses: ["pin", "secret", "token"])

    /// Returns whether a value with this name is never saved. Only the first 256 characters of the name are read.
    /// - Parameters:
    ///   - name: The value's name.
    ///   - isDeclared: Whether the app's manifest declares the value as a parameter of a place.
    public func denies(_ name: String, isDeclared: Bool = false) -> Bool {
        let words = Self.words(of: name)
        let joined = words.joined()
        return (isDeclared ? entries : entries + guesses).contains { entry in
            let denied = Self.words(of: entry)
            guard let first = denied.first else { return false }
            // Some names contain "onetimecode" or "apikey" as one word.
            if denied.count > 1, joined == denied.joined() { return true }
            return words.indices.contains { words[$0] == first && words[$0...].starts(with: denied) }
        }
    }

    /// The words of a name, in lowercase. A word ends at a character that is not a letter, and where a capital letter
    /// follows a lowercase letter or starts a capitalized word: `userPIN`, `PINCode`, `user-pin2`.
    static func words(of name: String) -> [String] {
        let characters = Array(name.prefix(256))
        var words: [String] = []
        var word = ""
        for (index, character) in characters.enumerated() {
            let beginsWord =
                character.isUppercase && index > 0
                && (characters[index - 1].isLowercase
                    || index + 1 < characters.count && characters[index + 1].isLowercase)
            if !character.isLetter || beginsWord {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if character.isLetter { word += character.lowercased() }
        }
        return word.isEmpty ? words : words + [word]
    }
}

extension DenyList {
    /// Returns whether a field with this content type is secure: a password, a code, or a part of a payment card. The
    /// type is the raw value of `UITextContentType` or `NSTextContentType`.
    func deniesContentType(_ type: String) -> Bool {
        denies(type) || Self.words(of: type).starts(with: ["credit", "card"])
    }
}
