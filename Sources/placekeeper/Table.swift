/// A table for a terminal. Each column is as wide as its widest cell. Without rows, the text is `none`.
struct Table {
    var header: [String]
    var rows: [[String]] = []

    var text: String {
        guard !rows.isEmpty else { return "none" }
        let lines = [header] + rows.map { $0.map(escapedForTerminal) }
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let text = cells.joined(separator: "  ")
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }.joined(separator: "\n")
    }
}
