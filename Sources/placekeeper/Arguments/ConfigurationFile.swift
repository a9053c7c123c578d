/// The settings in a file of `key = value` lines, blank lines, and comments that start with `#`.
struct ConfigurationFile: Sendable, Hashable {
    /// The installed service's file, which is read by default.
    static let installed = "/etc/placekeeper/placekeeper.conf"

    /// The path of the file.
    var name = ""
    var values: [String: String] = [:]
    /// The faults in its lines, or the fault of a file that can't be read.
    var faults: [CommandFailure] = []

    init() {}

    /// A file that can't be read.
    init(unreadable fault: CommandFailure) { faults = [fault] }

    /// Parses the file's text, which may contain any of `options` that are settings. Throws the first fault.
    init(_ text: String, options: [Option], name: String) throws(CommandFailure) {
        self.init(faultyText: text, options: options, name: name)
        if let fault = faults.first { throw fault }
    }

    /// Parses the file's text. Leaves out invalid lines, and keeps their faults.
    init(faultyText text: String, options: [Option], name: String) {
        self.name = name
        let settings = Set(options.filter(\.isSetting).map(\.name)).sorted()
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let line = trimmed(line)
            if line.isEmpty || line.utf8.first == UInt8(ascii: "#") { continue }
            let place = "\(name), line \(index + 1)"
            guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                add(place, "write `key = value`")
                continue
            }
            let written = String(trimmed(line[..<equals]))
            guard let key = settings.first(where: { isSame($0, written) }) else {
                add(place, "there is no setting \(quoted(written)); \(Self.advice(on: written, settings))")
                continue
            }
            guard values[key] == nil else {
                add(place, "\(key) is set twice; remove one line")
                continue
            }
            values[key] = String(trimmed(line[line.utf8.index(after: equals)...]))
        }
    }

    /// Ignores the installed service's database if the command uses another data directory.
    mutating func dropDatabase(unlessDataIs directory: String?) {
        guard let directory, directory != values[Option.data.name] else { return }
        for option in [Option.database, .databasePassword, .databaseConnections, .usersPerTransaction] {
            values[option.name] = nil
        }
    }

    private mutating func add(_ place: String, _ message: String) {
        faults.append(CommandFailure(.configuration, "\(place): \(message)"))
    }

    private static func advice(on key: String, _ settings: [String]) -> String {
        let prefix = "PLACEKEEPER_"
        let name = key.utf8.starts(with: prefix.utf8) ? String(key.dropFirst(prefix.count)) : key
        return nearest(to: name, among: settings).map { "did you mean \($0)?" }
            ?? "the settings are \(settings.joined(separator: ", "))"
    }

    private func trimmed(_ text: Substring) -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = text.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return start[...last]
    }
}
