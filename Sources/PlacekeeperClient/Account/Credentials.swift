/// The account of this device: its installation, its registration, and a change of the account whose answer is unknown.
package struct Credentials: Sendable, Hashable, Codable {
    /// The id and secret that this installation of the app made. With the same pair, a registration is repeated.
    struct Installation: Sendable, Hashable, Codable {
        var id: String
        var secret: String

        init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    /// A registration with the service.
    struct Registration: Sendable, Hashable, Codable {
        var device: String
        var token: String
        var user: String
        var isSignedIn: Bool

        init(device: String, token: String, user: String, isSignedIn: Bool) {
            self.device = device
            self.token = token
            self.user = user
            self.isSignedIn = isSignedIn
        }
    }

    /// The description of the device that the service has.
    struct Description: Sendable, Hashable, Codable {
        var model: String?
        var name: String?
        var systemVersion: String?
    }

    /// A change of the account that was sent. Until its answer is known, nothing else is sent.
    struct Change: Sendable, Hashable, Codable {
        enum Kind: String, Sendable, Hashable, Codable {
            case signIn, link, signOut, erase
        }

        var kind: Kind
        /// Whether a sign-out discards the captures that wait.
        var discardsPending = false

        init(_ kind: Kind, discardsPending: Bool = false) {
            self.kind = kind
            self.discardsPending = discardsPending
        }
    }

    var installation: Installation
    var registration: Registration?
    var unanswered: Change?
    /// The description that the service last confirmed. Nil if it is not known.
    var description: Description?
    /// Whether the person signed out or was erased, and nobody has begun to use the app since.
    var isSignedOut = false
    /// Whether the account of this installation must be signed in to again, because the service refused the token.
    var needsSignIn = false
    /// The device of the person who must sign in again. Its folder keeps the states that are saved until then.
    var formerDevice: String?
    /// The number of changes of the account. An answer to a request of an earlier generation does not change the
    /// account.
    var generation = 0
    /// The installation whose identity another device uses too. This device, which is registered, registers anew as a copy.
    var copyOf: Installation?
    /// A new id at each change of the person, so that an extension notices it. Nil before the first change.
    var owner: String?

    init(installation: Installation, owner: String? = nil) {
        self.installation = installation
        self.owner = owner
    }
}

/// Stores the account of this device, protected as a password.
package protocol CredentialStore: AnyObject {
    /// Returns the account. Nil if there is none. Throws `locked` if the store cannot be read until the device is
    /// unlocked: an account that cannot be read is not absent. Throws `damaged` if the account is lost.
    func read() throws(FileError) -> Credentials?
    /// Replaces the account.
    func write(_ credentials: Credentials) throws(FileError)
}

/// Stores the account in a file that only the user of the system may read.
package final class FileCredentialStore: CredentialStore {
    private let files: any FileSystem
    private let path: String

    package init(_ files: any FileSystem, path: String = "account") {
        self.files = files
        self.path = path
    }

    package func read() throws(FileError) -> Credentials? {
        let stored: [UInt8]?
        do throws(FileError) { stored = try files.read(path, limit: 64 << 10) } catch {
            throw error == .tooLarge ? .damaged : error
        }
        guard let bytes = stored else { return nil }
        do throws(ChecksummedFile.Fault) {
            return try ChecksummedFile.decode(Credentials.self, bytes).header
        } catch {
            // A newer version's account must not be replaced by a new registration.
            throw error == .newer ? .system(0) : .damaged
        }
    }

    package func write(_ credentials: Credentials) throws(FileError) {
        try files.write(ChecksummedFile.encode(credentials, []), to: path)
    }
}
