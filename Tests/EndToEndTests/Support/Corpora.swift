import FoundationEssentials

/// Public test data beside the project; nothing of it is in the project.
enum Corpora {
    /// nil when none is named.
    static let folder = ProcessInfo.processInfo.environment["PLACEKEEPER_CORPORA"]

    /// The paths of the files in a folder of it; empty where there is none.
    static func files(in name: String) -> [String] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
        return names.sorted().map { "\(folder)/\(name)/\($0)" }
    }
}
