import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Paths that no command may write, a data directory for the commands, and valid files.
///
/// The service of the live database is halted, so that only the commands can change a file.
final class PathTargets {
    enum Target: CaseIterable, Sendable, Hashable {
        case database, log, directory, link, pipe, foreignFile
        /// A socket. It stands for a device, which a test must not touch (`RegularFileTests.knowsTheKindsOfFiles`).
        case device
    }

    private let folder = Result { try TemporaryDirectory() }
    private let service: RunningService
    let root: String
    /// The data directory of the commands.
    let own: String
    let user: String

    init() throws {
        root = try folder.get().path
        own = root + "/own"
        let first = try RunningService()
        let key = try first.createApp()
        let phone = try first.register(app: key, idiom: "phone")
        user = phone.user
        for _ in 1...20 {
            let archive = try UniqueArchive(size: 8000)
            let stored = try first.request(
                "PUT", archive.path(in: "main"), token: phone.token, body: archive.bytes)
            try #require(stored.status == 201)
        }
        let leaving = try first.register(app: key, idiom: "pad")
        try #require(try first.request("DELETE", "/v1/users/self", token: leaving.token).status == 204)
        first.stop()
        try FileManager.default.copyItem(atPath: first.data.path, toPath: own)
        service = try RunningService(data: first.data)
        service.process.send(SIGSTOP)
        try makeValidFiles()
        for target in [Target.directory, .link, .pipe, .device] {
            try Self.make(target, at: path(of: target), live: database)
        }
        if geteuid() == 0 {
            try FileManager.default.copyItem(atPath: valid("backup.sqlite"), toPath: path(of: .foreignFile))
            try #require(chown(path(of: .foreignFile), 65_534, 65_534) == 0)
        }
    }

    deinit { service.kill() }

    private var database: String { service.data.path + "/placekeeper.sqlite" }

    func path(of target: Target) -> String {
        switch target {
        case .database: database
        case .log: service.data.path + "/erasures.log"
        // Only root can give a file away.
        case .foreignFile where geteuid() != 0: "/etc/passwd"
        default: root + "/\(target)"
        }
    }

    /// The path of a file that its command accepts.
    func valid(_ name: String) -> String { root + "/" + name }

    /// Makes a path that is not a regular file.
    static func make(_ target: Target, at path: String, live: String) throws {
        switch target {
        case .directory: try #require(mkdir(path, 0o700) == 0)
        case .link: try #require(symlink(live, path) == 0)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .device: try makeSocket(at: path)
        case .database, .log, .foreignFile: Issue.record("\(target) is a regular file")
        }
    }

    private static func makeSocket(at path: String) throws {
        let descriptor = Platform.makeSocket(AF_UNIX, blocks: true)
        defer { close(descriptor) }
        // The path of a socket is short.
        let name = "placekeeper-\(UInt32.random(in: .min ... .max))"
        let short = FileManager.default.temporaryDirectory.appending(path: name).path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(short.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0 && rename(short, path) == 0)
    }

    private func makeValidFiles() throws {
        try Data(try UniqueArchive().bytes).write(to: URL(filePath: valid("archive.plist")))
        for (name, text) in [
            (
                "keys.json",
                #"{"keys":[{"kty":"oct","kid":"a","k":"YSBzZWNyZXQgb2YgYXQgbGVhc3QgdGhpcnR5LXR3byBieXRlcw"}]}"#
            ),
            ("password", "a long password\n"), ("settings", "log = errors\n"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: valid(name)))
            try #require(chmod(valid(name), 0o600) == 0)
        }
        for words in [
            ["backup", "create", valid("backup.sqlite")],
            ["user", "export", "com.example.photos", "--user", user, "--output", valid("export.ndjson")],
        ] {
            let process = try ChildProcess(words + ["--data", own])
            try #require(process.wait() == .exit(0), "\(process.standardError)")
        }
    }

    /// All files below this object's folders with the properties that a change alters.
    func snapshot() throws -> [String: [Int]] {
        var files: [String: [Int]] = [:]
        for folder in [root, service.data.path] {
            for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: folder)) {
                var status = stat()
                try #require(lstat(folder + "/" + name, &status) == 0)
                let time = Platform.modificationTime(status)
                files[folder + "/" + name] = [
                    Int(status.st_ino), Int(status.st_mode), Int(status.st_uid), Int(status.st_size), time.tv_sec,
                    time.tv_nsec,
                ]
            }
        }
        return files
    }
}
