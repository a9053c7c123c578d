import Foundation

/// Public test data in a folder outside the project. The project contains none of this data.
package enum Corpora {
    /// The folder that the environment variable `PLACEKEEPER_CORPORA` names. Nil if the variable is not set.
    package static let folder = ProcessInfo.processInfo.environment["PLACEKEEPER_CORPORA"]

    /// Returns the bytes of a file in `folder`.
    package static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(folder ?? "")/\(path)")))
    }

    /// Returns the paths of the files in a folder below `folder`, in order. Returns no paths if the folder does not
    /// exist.
    package static func files(in name: String) -> [String] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
        return names.sorted().map { "\(folder)/\(name)/\($0)" }
    }
}
