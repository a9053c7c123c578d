/// The settings in a file of `key = value` lines, blank lines, and comments that begin with `#`.
struct ConfigurationFile: Sendable, Hashable {
    /// The path of the file.
    var name = ""
    var values: [String: String] = [:]

    init() {}

    /// Parses the file's text. The file may contain each of `options` that is a setting.
    init(_ text: String, options: [Option], name: String) throws(CommandFailure) {
        self.name = name
        let settings = Set(options.filter(\.isSetting).map(\.name))
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let line = trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let place = "\(name), line \(index + 1)"
            guard let equals = line.firstIndex(of: "=") else {
                throw CommandFailure(.configuration, "\(place): write `key = value`")
            }
            let key = String(trimmed(line[..<equals]))
            guard settings.contains(key) else {
                let advice =
                    nearest(to: key, among: settings.sorted()).map { "did you mean \($0)?" }
                    ?? "the settings are \(settings.sorted().joined(separator: ", "))"
                throw CommandFailure(.configuration, "\(place): there is no setting \(quoted(key)); \(advice)")
            }
            guard values[key] == nil else {
                throw CommandFailure(.configuration, "\(place): \(key) is set twice; remove one line")
            }
            values[key] = String(trimmed(line[line.index(after: equals)...]))
        }
    }

    private func trimmed(_ text: Substring) -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = text.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return start[...last]
    }
}
