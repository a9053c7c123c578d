import PlacekeeperArchive

/// Names of values that are never saved, such as `password`. Names are compared word by word, ignoring case: the entry
/// `card number` denies `cardNumber`, `card_number` and `myCardNumber2`, and the entry `pin` doesn't deny `shopping`.
package struct DenyList: Sendable, Hashable {
    /// The denied names.
    var entries: [String]
    /// Names that often, but not always, belong to a secret, such as `pin`. They don't deny a parameter that the app's
    /// types declare: by declaring the parameter, the app has said that its value belongs to the place.
    var guesses: [String]

    /// Creates a list.
    init(_ entries: [String], guesses: [String] = []) {
        self.entries = entries
        self.guesses = guesses
    }

    /// Passwords, codes, keys, and numbers of cards, accounts and people. The guesses are `pin`, `secret` and `token`.
    package static let standard = DenyList(
        [
            "password", "passwords", "passwd", "passcode", "passphrase", "otp", "one time code", "credential",
            "credentials", "private key", "api key", "recovery code", "security code", "card number", "cvc", "cvv",
            "iban", "account number", "ssn", "social security",
        ], guesses: ["pin", "secret", "token"])

    /// Returns whether a value with this name is never saved. Only the first 256 characters of the name are read.
    /// - Parameters:
    ///   - name: The value's name.
    ///   - isDeclared: Whether the app declares the value in the types of its state.
    func denies(_ name: String, isDeclared: Bool = false) -> Bool {
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

extension KeptPlace {
    /// Separates the app's key of a value from the item that the value belongs to.
    nonisolated static let itemMark = "#"
}

extension DenyList {
    /// Returns whether the value of a key is never saved. Only the app's part of the key counts: an item may have any
    /// title.
    func deniesKey(_ key: String) -> Bool { denies(String(key.prefix { String($0) != KeptPlace.itemMark })) }

    /// Returns whether a field with this content type is secret: a password, a code, or a part of a payment card.
    /// - Parameter type: The raw value of `UITextContentType`.
    package func deniesContentType(_ type: String) -> Bool {
        denies(type) || Self.words(of: type).starts(with: ["credit", "card"])
    }

    /// The names in a value of the app's state that are never saved. The app has declared the names in its types, so
    /// names that only often belong to a secret are saved.
    func names(in value: StateValue) -> Set<String> {
        switch value {
        case .dictionary(let members):
            members.reduce(into: []) { names, member in
                if denies(member.key, isDeclared: true) {
                    names.insert(member.key)
                } else {
                    names.formUnion(self.names(in: member.value))
                }
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(names(in: $1)) }
        default: []
        }
    }

    /// Returns a value of the app's state without the names that are never saved.
    func removingNames(from value: StateValue) -> StateValue {
        switch value {
        case .dictionary(let members): .dictionary(removingNames(from: members))
        case .array(let elements): .array(elements.map { removingNames(from: $0) })
        default: value
        }
    }

    /// Returns the members that may be saved.
    func removingNames(from members: [String: StateValue]) -> [String: StateValue] {
        members.filter { !denies($0.key, isDeclared: true) }.mapValues { removingNames(from: $0) }
    }
}
