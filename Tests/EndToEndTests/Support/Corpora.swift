import FoundationEssentials

/// Public test data outside the project.
enum Corpora {
    /// The folder from PLACEKEEPER_CORPORA. Nil if it is not set.
    static let folder = ProcessInfo.processInfo.environment["PLACEKEEPER_CORPORA"]

    /// Returns the paths of the files in a subfolder, or no paths if it does not exist.
    static func files(in name: String) -> [String] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
        return names.sorted().map { "\(folder)/\(name)/\($0)" }
    }
}
