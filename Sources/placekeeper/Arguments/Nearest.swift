/// Returns the name that a user who typed `word` probably meant, or nil. A name counts if it differs by at most two
/// typing errors, or if it is the only one that starts with the word. Differences in case, `_` in place of `-`, and
/// leading dashes aren't errors.
func nearest(to word: String, among names: [String]) -> String? {
    // The comparison is quadratic, so long words are skipped.
    guard word.utf8.count <= 64 else { return nil }
    let word = folded(word)
    let limit = word.count < 6 ? 1 : 2
    var found: (name: String, slips: Int)?
    for name in names where abs(name.utf8.count - word.count) <= limit {
        let slips = slips(word, folded(name))
        if slips <= limit, slips < found?.slips ?? .max { found = (name, slips) }
    }
    if let found { return found.name }
    let longer = names.filter { word.count > 1 && folded($0).starts(with: word) }
    return longer.count == 1 ? longer[0] : nil
}

/// Whether two texts have the same bytes. `==` also accepts canonically equivalent texts, for which untrusted text can
/// take long to compare.
func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

/// Returns the bytes in lowercase, with `-` for `_`, and without leading dashes.
private func folded(_ text: String) -> [UInt8] {
    text.utf8.drop { $0 == UInt8(ascii: "-") }.map { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "_"): UInt8(ascii: "-")
        default: byte
        }
    }
}

/// Returns the minimum number of bytes to insert, delete, replace, or swap with the next byte.
private func slips(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var (before, row): ([Int], [Int]) = ([], Array(0...right.count))
    for i in left.indices {
        var next = [i + 1]
        for j in right.indices {
            var count = min(row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { count = min(count, before[j - 1] + 1) }
            next.append(count)
        }
        (before, row) = (row, next)
    }
    return row[right.count]
}
