import PlacekeeperSystem
import PlacekeeperFiles
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A temporary folder, with files that no command may write.
final class TestFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    /// Makes a file of a kind. Sockets and devices are treated alike (`RegularFileTests.knowsTheKindsOfFiles`).
    func make(_ kind: FileKind, _ name: String) throws -> String {
        let path = path(name)
        switch kind {
        case .regular: try write("text", to: name)
        case .directory: try #require(mkdir(path, 0o700) == 0)
        case .link:
            try write("text", to: "target")
            try #require(symlink(self.path("target"), path) == 0)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .socket, .device: Issue.record("a test makes no \(kind)")
        }
        return path
    }
}
