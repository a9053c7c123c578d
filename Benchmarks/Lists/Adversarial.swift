/// The adversarial set: three things share a title, and between two rounds one row in five gets other aliases or another
/// identifier.
extension Library {
    mutating func addAdversarial(_ count: Int, _ chance: inout Chance) {
        for number in 0..<count {
            var thing = Thing(section: number / 6, content: number, added: chance.fraction())
            // One thing in ten is a copy of an earlier one, which a person may merge.
            if number > 0, chance.happens(0.1) { thing.content = things[chance.below(number)].content }
            if chance.happens(0.8) { thing.aliases.append("id:\(number)") }
            if chance.happens(0.9) { thing.aliases.append("title:\(chance.below(count / 3))") }
            things.append(thing)
        }
    }
}

extension Shelf {
    mutating func mixUp(_ chance: inout Chance) {
        isOld = true
        for thing in rows where chance.happens(0.2) {
            guard let name = names[thing] else { continue }
            let other = rows[chance.below(rows.count)]
            switch chance.below(10) {
            case 0, 1: correct("id:", of: thing, to: "id:\(thing)-\(chance.below(2))")
            case 2: correct("title:", of: thing, to: "title:\(chance.below(aliases.count / 3))")
            case 3: aliases[thing].shuffle(using: &chance)
            case 4: aliases[thing].removeAll { _ in chance.happens(0.5) }
            // The device takes it for another thing, until it is corrected.
            case 5: if chance.happens(0.2) { correct("id:", of: thing, to: "id:\(other)") }
            // Two rows swap their identifiers.
            case 6:
                names[thing] = names[other]
                names[other] = name
            // The record gets another identifier. A new row may take the old one.
            case 7: names[thing] = newName(&chance)
            case 8:
                let new = newName(&chance)
                names[thing] = new
                redirect(name, to: new)
            default: names[thing] = nil
            }
        }
        sort()
    }

    private mutating func correct(_ kind: String, of thing: Int, to alias: String) {
        guard let index = aliases[thing].firstIndex(where: { $0.hasPrefix(kind) }) else { return }
        aliases[thing][index] = alias
    }
}
