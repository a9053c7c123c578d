/// Parses a command line: `--name value`, `--name=value`, switches, operands, and `--` before operands that look like
/// options.
struct ArgumentParser: Sendable {
    /// The request that a command line makes.
    enum Request: Sendable {
        case run(Subcommand, Arguments)
        case help(Subcommand)
        /// Help on the commands whose names begin with a word. Nil means help on the whole program.
        case overview(String?)
    }

    var subcommands: [Subcommand]

    func parse(_ line: [String]) throws(CommandFailure) -> Request {
        guard let first = line.first else {
            throw CommandFailure(.usage, "no command is given; placekeeper --help lists the commands")
        }
        if Self.helpWords.contains(first) { return try help(on: Array(line.dropFirst())) }
        // Many programs print their version with this option, so the option is accepted as the command `version`.
        if first == "--version" { return try parse(["version"] + line.dropFirst()) }
        guard let (subcommand, rest) = subcommand(named: line) else {
            let words = line.prefix { !Self.helpWords.contains($0) }
            let group = words.joined(separator: " ")
            if words.count < line.count, isGroup(group) { return .overview(group) }
            throw unknownCommand(line)
        }
        return try parse(rest, for: subcommand)
    }

    private static let helpWords: Set = ["--help", "-h", "help"]

    private func help(on line: [String]) throws(CommandFailure) -> Request {
        guard let first = line.first, !first.hasPrefix("-") else { return .overview(nil) }
        if let found = subcommand(named: line)?.subcommand { return .help(found) }
        let group = line.joined(separator: " ")
        guard isGroup(group) else { throw unknownCommand(line) }
        return .overview(group)
    }

    /// Whether the words are the first of longer names, as `app` and `admin token` are.
    private func isGroup(_ words: String) -> Bool { subcommands.contains { $0.name.hasPrefix(words + " ") } }

    /// Finds the command with the longest name at the start of the line. Returns the command with the words after its
    /// name.
    private func subcommand(named line: [String]) -> (subcommand: Subcommand, rest: [String])? {
        for count in [3, 2, 1] where line.count >= count {
            let name = line.prefix(count).joined(separator: " ")
            if let found = subcommands.first(where: { $0.name == name }) {
                return (found, Array(line.dropFirst(count)))
            }
        }
        return nil
    }

    private func parse(_ line: [String], for subcommand: Subcommand) throws(CommandFailure) -> Request {
        var arguments = Arguments()
        var remaining = line[...]
        while let word = remaining.popFirst() {
            if word == "--" {
                arguments.operands += remaining
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                arguments.operands.append(word)
                continue
            }
            if word == "-h" || word == "--help" { return .help(subcommand) }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = subcommand.allOptions.first(where: { "--" + $0.name == parts[0] }) else {
                throw unknownOption(String(parts[0]), of: subcommand)
            }
            guard option.repeats || arguments.flags[option.name] == nil else {
                throw CommandFailure(.usage, "--\(option.name) is given twice; give it once")
            }
            let value = try value(of: option, inline: parts.count == 2 ? String(parts[1]) : nil, from: &remaining)
            arguments.flags[option.name, default: []].append(value)
        }
        try check(arguments, of: subcommand)
        return .run(subcommand, arguments)
    }

    private func value(
        of option: Option, inline: String?, from remaining: inout ArraySlice<String>
    ) throws(CommandFailure) -> String {
        guard option.value != nil else {
            if inline == nil { return "" }
            throw CommandFailure(.usage, "--\(option.name) is a switch and takes no value")
        }
        if let inline { return inline }
        guard let next = remaining.first, next != "--" else {
            throw CommandFailure(.usage, "--\(option.name) needs a value: \(option.spelling)")
        }
        remaining.removeFirst()
        return next
    }

    private func check(_ arguments: Arguments, of subcommand: Subcommand) throws(CommandFailure) {
        let advice = "placekeeper \(subcommand.name) --help shows how it is used"
        let operands = subcommand.operands.filter { !$0.hasPrefix("[") }.dropFirst(arguments.operands.count)
        let options = subcommand.options.filter { $0.isRequired && arguments.flags[$0.name] == nil }
        let missing = operands + options.map(\.spelling)
        guard missing.isEmpty else {
            let verb = missing.count == 1 ? "is" : "are"
            throw CommandFailure(.usage, "\(missing.joined(separator: ", ")) \(verb) missing; \(advice)")
        }
        if arguments.operands.count > subcommand.operands.count {
            let word = quoted(arguments.operands[subcommand.operands.count])
            throw CommandFailure(.usage, "\(word) is one argument too many; \(advice)")
        }
    }

    private func unknownOption(_ word: String, of subcommand: Subcommand) -> CommandFailure {
        let names = subcommand.allOptions.map { "--" + $0.name }
        let advice =
            nearest(to: word, among: names).map { "did you mean \($0)?" }
            ?? "placekeeper \(subcommand.name) --help lists its options"
        return CommandFailure(.usage, "unknown option \(quoted(word)); \(advice)")
    }

    private func unknownCommand(_ line: [String]) -> CommandFailure {
        let group = subcommands.map(\.name).filter { $0.hasPrefix(line[0] + " ") }
        if !group.isEmpty {
            guard line.count > 1, !line[1].hasPrefix("-") else {
                return CommandFailure(.usage, "\(line[0]) needs one more word: \(group.joined(separator: ", "))")
            }
            let name = line[0] + " " + line[1]
            let advice =
                nearest(to: name, among: group).map { "did you mean \($0)?" }
                ?? "the commands are \(group.joined(separator: ", "))"
            return CommandFailure(.usage, "unknown command \(quoted(name)); \(advice)")
        }
        let advice =
            nearest(to: line[0], among: subcommands.map(\.name)).map { "did you mean \($0)?" }
            ?? "placekeeper --help lists the commands"
        return CommandFailure(.usage, "unknown command \(quoted(line[0])); \(advice)")
    }
}

/// Returns the most similar name, or nil if every name has an edit distance of more than two.
func nearest(to word: String, among names: [String]) -> String? {
    let ranked = names.map { (name: $0, distance: editDistance(Array(word), Array($0))) }
    return ranked.filter { $0.distance <= 2 }.min { $0.distance < $1.distance }?.name
}

/// Returns the Levenshtein distance: the minimum number of characters to insert, delete or replace.
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in right.enumerated() {
            let exchanged = diagonal + (character == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(exchanged, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
