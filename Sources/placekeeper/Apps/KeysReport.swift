import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTokens

/// The keys for an app's sign-in tokens, without secrets.
struct KeysReport: Encodable {
    enum Source: String, Encodable {
        case app, file
    }

    struct Key: Encodable, Equatable {
        var kid: String?
        var algorithm: String
        var thumbprint: String
        var source: Source
    }

    var keys: [Key] = []
    /// The path of the app's key file.
    var file: String?
    /// Why the key file can't be used.
    var problem: String?

    init() {}

    init(_ settings: App.Settings.SignIn) {
        do throws(JSONWebKeyError) {
            add(try JSONWebKeySet(members: settings.keys).keys, from: .app)
        } catch {
            problem = "the keys in the database cannot be used: \(error.message)"
        }
        file = settings.keysFile
        guard let path = settings.keysFile else { return }
        do throws(CommandFailure) {
            add(try Self.usableKeys(of: path), from: .file)
        } catch {
            problem = error.message
        }
    }

    mutating func add(_ added: [JSONWebKey], from source: Source) {
        keys += added.map {
            Key(kid: $0.identifier, algorithm: $0.algorithm.rawValue, thumbprint: $0.thumbprint, source: source)
        }
    }

    var text: String {
        let rows = keys.map { [$0.kid ?? "none", $0.algorithm, $0.thumbprint, $0.source.rawValue] }
        let table = Table(header: ["KID", "ALGORITHM", "THUMBPRINT", "FROM"], rows: rows).text
        return
            ([table]
            + [file.map { "file: \(escapedForTerminal($0))" }, problem.map { "problem: \($0)" }].compactMap(\.self))
            .joined(separator: "\n")
    }

    /// Reads a key set from a file, as a service does. The set may be empty.
    static func usableKeys(of path: String) throws(CommandFailure) -> [JSONWebKey] {
        do throws(JSONWebKeyError) {
            return try KeyFile.read(path).keySet().keys
        } catch {
            throw CommandFailure(.failure, "the key file \(quoted(path)) cannot be used: \(error.message)")
        }
    }
}
