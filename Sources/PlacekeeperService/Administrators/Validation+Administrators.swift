package import PlacekeeperCore

extension Validation {
    static func administratorName(_ name: String) throws(ServiceError) {
        let isValid =
            (1...Limits.administratorName).contains(name.utf8.count)
            && name.utf8.allSatisfy { TextForm.isNameByte($0) || $0 == 0x40 || $0 == 0x2B }
        guard isValid else {
            throw invalid(
                "name", "A name has 1 to \(Limits.administratorName) of the characters A–Z a–z 0–9 . _ - + and @.")
        }
    }

    static func password(_ password: String, member: String = "password") throws(ServiceError) {
        guard Limits.password.contains(password.utf8.count) else {
            throw invalid(
                member,
                "A password has \(Limits.password.lowerBound) to \(Limits.password.upperBound) bytes in UTF-8.")
        }
    }

    static func tokenLabel(_ label: String) throws(ServiceError) {
        guard !label.isEmpty, TextForm.isPlain(label, limit: Limits.tokenLabel) else {
            throw invalid("label", "A label has 1 to \(Limits.tokenLabel) bytes and no control characters.")
        }
    }

    static func invalid(_ member: String, _ message: String) -> ServiceError {
        ServiceError(.administratorInvalid, message, member: [.name(member)])
    }
}

extension Limits {
    /// The maximum length of an administrator's name, in characters.
    package static let administratorName = 64
    /// The allowed length of a password, in bytes.
    package static let password = 10...256
    /// The maximum length of an API token's label, in UTF-8 bytes.
    package static let tokenLabel = 64
    /// The allowed lifetime of an API token, in days.
    package static let tokenDays = 1...3650
}
