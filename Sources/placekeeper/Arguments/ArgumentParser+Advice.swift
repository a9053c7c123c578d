// Errors for unknown commands and options, with suggestions.

extension ArgumentParser {
    func unknownOption(_ word: String, of subcommand: Subcommand) -> CommandFailure {
        let advice =
            nearest(to: word, among: subcommand.allOptions.map(\.name)).map { "did you mean --\($0)?" }
            ?? "placekeeper \(subcommand.name) --help lists its options"
        return CommandFailure(.usage, "unknown option \(quoted(word)); \(advice)")
    }

    func unknownCommand(_ line: [String]) -> CommandFailure {
        let words = Array(line.prefix { !$0.isOption }.prefix(3))
        for count in [2, 1] where words.count >= count {
            let start = words.prefix(count).joined(separator: " ")
            let group = names(in: start)
            guard !group.isEmpty else { continue }
            guard words.count > count else {
                return CommandFailure(.usage, "\(start) needs one more word: \(group.joined(separator: ", "))")
            }
            let name = start + " " + words[count]
            let advice =
                nearest(to: name, among: group).map { "did you mean \($0)?" }
                ?? "the commands are \(group.joined(separator: ", "))"
            return CommandFailure(.usage, "unknown command \(quoted(name)); \(advice)")
        }
        let meant = meant(by: words)
        let advice = meant.isEmpty ? "placekeeper --help lists the commands" : "did you mean \(meant.alternatives)?"
        return CommandFailure(.usage, "unknown command \(quoted(line[0])); \(advice)")
    }

    /// The names of the commands that start with a word or two, such as `app` and `admin token`.
    private func names(in group: String) -> [String] {
        subcommands.map(\.name).filter { $0.utf8.starts(with: (group + " ").utf8) }
    }

    /// Suggests commands in place of an unknown one.
    private func meant(by words: [String]) -> [String] {
        guard let first = words.first else { return [] }
        let names = subcommands.map(\.name)
        if let other = Self.others.first(where: { isSame($0.word, first) })?.command, names.contains(other) {
            return [other]
        }
        for count in [3, 2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let found = nearest(to: name, among: names) { return [found] }
        }
        // The word may be a group, such as `apps`, or the last word of commands, such as `create`.
        let groups = Set(names.compactMap { $0.contains(" ") ? $0.split(separator: " ").first.map(String.init) : nil })
        if let group = nearest(to: first, among: groups.sorted()) { return self.names(in: group) }
        return names.filter { $0.utf8.reversed().starts(with: (" " + first).utf8.reversed()) }
    }

    /// Other programs' names for these commands.
    private static let others: [(word: String, command: String)] = [
        ("start", "serve"), ("run", "serve"), ("up", "serve"), ("status", "healthcheck"), ("health", "healthcheck"),
        ("settings", "config show"), ("manual", "man"), ("login", "admin create"),
    ]
}
