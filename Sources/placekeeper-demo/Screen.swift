/// The content of the demo's screen. It can be drawn without devices.
struct Screen {
    var title: String
    var phone: Panel
    var pad: Panel
    /// The events of the service, newest last.
    var events: [String]
    /// The keys, or the text below the events.
    var footer: String

    static let width = 80
    static let height = 24
    /// The number of rows of a list that are visible.
    static let rowCount = 8
    private static let phoneWidth = 30

    /// A device.
    struct Panel {
        var name: String
        /// Such as `build 4, offline`.
        var state: String
        var isActive = false
        /// The visible rows of the list. Nil if the app isn't running.
        var rows: [Row]?
        /// The row at the top of the list, and the total number of rows.
        var top = 0
        var count = 0
        var photo: Photo?
        /// Whether the list and the photo are side by side. Otherwise the photo covers the list.
        var isSplit: Bool
        /// How much of a state the latest launch restored. Nil if no launch has ended.
        var step: Device.Step?
        var reason: String
        var offer: String?

        struct Row {
            var title: String
            var id: String
            var isSelected: Bool
        }

        struct Photo {
            var title: String
            var id: String
            var zoom: Double
            /// Determines the picture.
            var seed: Int
        }
    }

    /// The lines of the screen: `height` lines of `width` columns.
    var lines: [String] {
        let left = phone.lines(width: Self.phoneWidth)
        let right = pad.lines(width: Self.width - Self.phoneWidth - 2)
        var lines = [Text.fit("placekeeper-demo · " + title, Self.width)]
        lines += zip(left, right).map { "\($0)  \($1)" }
        let room = Self.height - lines.count - 2
        var told: [String] = []
        for event in events.reversed() {
            let wrapped = Text.wrap("· " + event, Self.width, indent: 2)
            guard told.count + wrapped.count <= room else { break }
            told = wrapped + told
        }
        told += Array(repeating: "", count: room - told.count)
        lines += ["The service tells:"] + told + [footer]
        return lines.map { Text.fit($0, Self.width) }
    }
}

extension Screen.Panel {
    /// The lines of the panel, with its frame.
    func lines(width: Int) -> [String] {
        let inner = width - 2
        let mark = isActive ? "▶ " : ""
        let head = "─ \(mark)\(name) · \(state) "
        var lines = ["┌" + Text.fit(head, inner, fill: "─") + "┐"]
        lines += content(inner).map { "│" + Text.fit($0, inner) + "│" }
        lines.append("├" + String(repeating: "─", count: inner) + "┤")
        let ladder = [(Device.Step.full, "full"), (.place, "place"), (.nothing, "nothing")]
            .map { "\($0 == step ? "●" : "○") \($1)" }.joined(separator: "  ")
        var words = Text.wrap(reason, inner - 2)
        if words.count > 2 { words = [words[0], words[1...].joined(separator: " ")] }
        words += Array(repeating: "", count: 2 - words.count)
        let below = [ladder] + words + [offer.map { "⇢ offer: " + $0 } ?? ""]
        lines += below.map { "│ " + Text.fit($0, inner - 2) + " │" }
        lines.append("└" + String(repeating: "─", count: inner) + "┘")
        return lines
    }

    private func content(_ width: Int) -> [String] {
        guard let rows else {
            let message = Text.wrap("The app does not run.", width - 2).map { " " + $0 }
            return message + Array(repeating: "", count: Screen.rowCount - message.count)
        }
        guard isSplit else { return photo.map { picture(of: $0, width) } ?? list(rows, width) }
        let column = width * 5 / 9
        let right = photo.map { picture(of: $0, width - column - 1) } ?? []
        return list(rows, column).enumerated().map { index, row in
            Text.fit(row, column) + "│" + (right.indices.contains(index) ? right[index] : "")
        }
    }

    /// The visible rows, with a scroll bar.
    private func list(_ rows: [Row], _ width: Int) -> [String] {
        (0..<Screen.rowCount).map { line in
            let first = line * max(count, 1) / Screen.rowCount
            let next = (line + 1) * max(count, 1) / Screen.rowCount
            let bar = first < top + Screen.rowCount && top < next ? "█" : "░"
            guard rows.indices.contains(line) else { return Text.fit("", width - 1) + bar }
            let row = rows[line]
            let id = Text.fit(row.id, 4)
            return Text.fit((row.isSelected ? "▸ " : "  ") + row.title, width - 6) + " " + id + bar
        }
    }

    /// A drawing of the photo, with its title and its identifier on this device.
    private func picture(of photo: Photo, _ width: Int) -> [String] {
        let zoom = photo.zoom == photo.zoom.rounded() ? "\(Int(photo.zoom))" : "\(photo.zoom)"
        let hills = (0..<Screen.rowCount - 3).map { line in
            " " + String((0..<width - 2).map { photo.shade(column: $0, line: line) })
        }
        return [" " + photo.title] + hills + [" \(photo.id) on the \(name)", " zoom ×\(zoom)"]
    }
}

extension Screen.Panel.Photo {
    /// The character of the picture at a position: the sky, far hills, or near hills.
    fileprivate func shade(column: Int, line: Int) -> Character {
        func hill(_ width: Int, _ shift: Int) -> Int { abs((column + shift) % (2 * width) - width) * 5 / width }
        let height = 4 - line
        if hill(5 + seed % 4, seed * 3) - 2 >= height { return "█" }
        return hill(8 + seed % 5, seed * 7) >= height + 1 ? "▒" : " "
    }
}
