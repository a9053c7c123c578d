/// The account of this device: its installation, its registration, and any change of the account whose response is
/// unknown.
package struct Credentials: Sendable, Equatable, Codable {
    /// The id and secret of this installation of the app, both made by the app. Registering again with the same pair
    /// returns the same device.
    struct Installation: Sendable, Equatable, Codable {
        var id: String
        var secret: String

        init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    /// A registration with the service.
    struct Registration: Sendable, Equatable, Codable {
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

    /// The description of the device, as the service knows it.
    struct Description: Sendable, Equatable, Codable {
        var model: String?
        var name: String?
        var systemVersion: String?
    }

    /// A change of the account that was sent. Until its response is known, nothing else is sent.
    struct Change: Sendable, Equatable, Codable {
        enum Kind: String, Sendable, Equatable, Codable {
            case signIn, link, signOut, erase
        }

        var kind: Kind
        /// Whether a sign-out discards the pending captures.
        var discardsPending = false
        /// The last sequence number that is discarded of each scene. `nil` while the request is in flight: then
        /// everything is discarded.
        var lastDiscarded: [String: Int64]?
        /// Whether the change discards the pending captures.
        var discards: Bool { kind == .erase || discardsPending }

        init(_ kind: Kind, discardsPending: Bool = false) {
            self.kind = kind
            self.discardsPending = discardsPending
        }
    }

    var installation: Installation
    var registration: Registration?
    var unanswered: Change?
    /// The description that the service last confirmed, if known.
    var description: Description?
    /// Whether the user signed out or was erased, and nobody has started to use the app since.
    var isSignedOut = false
    /// Whether the user must sign in to the account of this installation again, because the service refused the token.
    var needsSignIn = false
    /// The device of the user who must sign in again. States are saved in its folder until then.
    var formerDevice: String?
    /// Counts the changes of the account. A response to a request from an earlier generation does not change the account.
    var generation = 0
    /// The earlier installation of this registered device, if another device also uses it. This device registers again,
    /// as a copy.
    var copyOf: Installation?
    /// An id that changes with the user, so an extension notices. `nil` before the first change.
    var owner: String?

    init(installation: Installation, owner: String? = nil) {
        self.installation = installation
        self.owner = owner
    }
}

/// Stores the account of this device, protected like a password.
package protocol CredentialStore: AnyObject {
    /// Returns the account, or `nil` if there is none.
    ///
    /// Throws `locked` if the store cannot be read until the device is unlocked: an unreadable account is not a missing
    /// one. Throws `damaged` if the account is lost.
    func read() throws(FileError) -> Credentials?
    /// Replaces the account.
    func write(_ credentials: Credentials) throws(FileError)
}

/// Stores the account in a file that only the current user of the system may read.
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
