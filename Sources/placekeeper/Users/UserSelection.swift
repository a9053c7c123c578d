import PlacekeeperCore
import PlacekeeperService

extension Option {
    /// The option that replaces the operand SUBJECT.
    static let userInsteadOfSubject = Option(
        "user", "ID", help: "the user's id, for an anonymous user; in place of SUBJECT")
}

extension Wiring.Opened {
    /// Returns the app and user selected by the operands APP and SUBJECT, or by `--user`. Exit code 1 means that there
    /// is no such user.
    func selectedUser(_ arguments: Arguments) async throws(CommandFailure) -> (app: App, owner: UserKey) {
        let app = try await app(arguments.operands[0])
        let isNamedByID = arguments.source(of: .userInsteadOfSubject) != nil
        guard isNamedByID != (arguments.operands.count > 1) else {
            throw CommandFailure(.usage, "give either the SUBJECT of the account, or the user's id with --user")
        }
        if isNamedByID {
            let owner = UserKey(app: app.id, user: try arguments.id(of: .userInsteadOfSubject))
            let exists = try await ask { service async throws(ServiceError) in
                try await service.exports.summary(of: owner) != nil
            }
            guard exists else { throw noUser(owner.user.description, of: app) }
            return (app, owner)
        }
        let text = arguments.operands[1]
        guard let subject = Subject(text) else {
            throw CommandFailure(
                .usage, "a subject has 1 to \(Limits.subject) bytes and no control characters; give another SUBJECT")
        }
        let owner = try await ask { service async throws(ServiceError) in
            try await service.accounts.user(of: subject, in: app.id)
        }
        guard let owner else { throw noUser(quoted(text), of: app) }
        return (app, owner)
    }

    private func noUser(_ name: String, of app: App) -> CommandFailure {
        CommandFailure(.failure, "\(app.bundleIdentifier) has no user \(name); users lists the app's users")
    }
}
