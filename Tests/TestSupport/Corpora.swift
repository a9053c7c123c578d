import Foundation

/// Public test data beside the project. None of it is in the project.
package enum Corpora {
    /// The folder that `PLACEKEEPER_CORPORA` names; nil when it names none.
    package static let folder = ProcessInfo.processInfo.environment["PLACEKEEPER_CORPORA"]

    /// A file's bytes.
    package static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(folder ?? "")/\(path)")))
    }

    /// The paths of the files in a folder, in order; none when the folder is not there.
    package static func files(in name: String) -> [String] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
        return names.sorted().map { "\(folder)/\(name)/\($0)" }
    }
}
