/// What a list holds.
enum Kind: String, Sendable, CaseIterable {
    case photos, music, books, notes
    /// A small list in which aliases collide, and aliases and identifiers change hands, far more often than in a list of
    /// people.
    case adversarial

    /// What the lists of people hold.
    static let ofPeople = [photos, music, books, notes]
}

/// A thing of a person: one photo, track, book or note, however many devices have a record of it.
struct Thing: Sendable {
    /// The number of its month, album, author or folder.
    var section: Int
    /// The evidence of its identity that exists.
    var aliases: [String] = []
    /// Equal for identical copies, and different for all other things.
    var content: Int
    /// When the person got the thing, from 0 to 1.
    var added: Double
    /// The device that has another edition's ISBN for the book.
    var otherEdition: Int?
}

/// The true list of a person's things, in the true order.
struct Library: Sendable {
    let kind: Kind
    var things: [Thing] = []
    private let deviceCount: Int

    init(_ kind: Kind, devices: Int, _ chance: inout Chance) {
        self.kind = kind
        deviceCount = devices
        switch kind {
        case .photos: addPhotos(chance.within(200...600), &chance)
        case .music: addMusic(chance.within(200...600), &chance)
        case .books: addBooks(chance.within(80...300), &chance)
        case .notes: addNotes(chance.within(60...250), &chance)
        case .adversarial: addAdversarial(chance.within(12...60), &chance)
        }
    }

    /// Returns the aliases that a device has for a thing.
    func aliases(of thing: Int, on device: Int, _ chance: inout Chance) -> [String] {
        let aliases = things[thing].aliases
        switch kind {
        case .photos:
            return aliases.filter { chance.happens($0.hasPrefix("server") ? Shares.server.known : Shares.hash.known) }
        case .music:
            return chance.happens(Shares.editedTitles) ? aliases.map { "\($0) (edited \(device))" } : aliases
        case .books:
            return things[thing].otherEdition == device ? aliases.map { "\($0)-other" } : aliases
        case .notes: return []
        case .adversarial: return aliases.filter { _ in chance.happens(0.9) }
        }
    }

    // Photos lie in the order of their dates, in months. Most of them were added on their date.

    private mutating func addPhotos(_ count: Int, _ chance: inout Chance) {
        var section = 0
        var left = chance.within(15...60)
        func added(_ chance: inout Chance) -> Double {
            chance.happens(0.97) ? Double(things.count) / Double(count) : chance.fraction()
        }
        while things.count < count {
            if left <= 0 {
                section += 1
                left = chance.within(15...60)
            }
            let number = things.count
            if chance.happens(Shares.bursts / 4) {
                for member in 0..<chance.within(3...5) {
                    things.append(photo(number, number + member, section, added(&chance), &chance))
                    left -= 1
                }
                continue
            }
            let photo = photo(number, number, section, added(&chance), &chance)
            things.append(photo)
            left -= 1
            guard chance.happens(Shares.copies) else { continue }
            var copy = photo
            copy.aliases.removeAll { $0.hasPrefix("server") }
            if chance.happens(Shares.copiesOnServer) { copy.aliases.append("server:\(number)c") }
            let place = chance.happens(Shares.copiesBeside) ? things.count : chance.below(things.count)
            copy.section = place < things.count ? things[place].section : section
            things.insert(copy, at: place)
        }
    }

    private func photo(
        _ server: Int, _ content: Int, _ section: Int, _ added: Double, _ chance: inout Chance
    ) -> Thing {
        var photo = Thing(section: section, content: content, added: added)
        if chance.happens(Shares.server.exists) { photo.aliases.append("server:\(server)") }
        if chance.happens(Shares.hash.exists) { photo.aliases.append("hash:\(content)") }
        return photo
    }

    // Music lies in the order of artists, albums and tracks. A best-of album is the last of its artist, and samplers
    // of several artists are at the end.

    private mutating func addMusic(_ count: Int, _ chance: inout Chance) {
        var artists: [[[String]]] = []
        var samplers: [[String]] = []
        var title = 0
        func newKey(_ artist: Int) -> String {
            title += 1
            return "key:title \(title)|artist \(artist)"
        }
        var total = 0
        while total < count * 88 / 100 {
            let artist = artists.count
            let albums = (0..<chance.within(1...5)).map { _ in
                (0..<chance.within(8...14)).map { _ in newKey(artist) }
            }
            artists.append(albums)
            total += albums.joined().count
        }
        let albumsOfArtists = artists
        var uses: [String: Int] = [:]
        for key in albumsOfArtists.joined().joined() { uses[key] = 1 }
        func shared() -> Int { uses.values.reduce(0) { $0 + ($1 > 1 ? $1 : 0) } }
        while Double(shared()) < Shares.sharedKeys * Double(uses.values.reduce(0, +)) {
            let isSampler = chance.happens(Shares.samplers)
            let artist = chance.below(artists.count)
            let pool = Array((isSampler ? Array(albumsOfArtists.joined()) : albumsOfArtists[artist]).joined())
            var album: [String] = []
            for _ in 0..<chance.within(10...14) {
                var key = pool[chance.below(pool.count)]
                if album.contains(key) || chance.happens(0.1) { key = newKey(artist) }
                album.append(key)
                uses[key, default: 0] += 1
            }
            if isSampler { samplers.append(album) } else { artists[artist].append(album) }
        }
        for (section, album) in (artists.joined() + samplers).enumerated() {
            let added = chance.fraction()
            for key in album {
                things.append(Thing(section: section, aliases: [key], content: things.count, added: added))
            }
        }
    }

    // Books lie in the order of authors.

    private mutating func addBooks(_ count: Int, _ chance: inout Chance) {
        var section = 0
        while things.count < count {
            for _ in 0..<chance.within(1...6) {
                let isSet = chance.happens(Shares.volumes / 3.5)
                let isbn = chance.happens(Shares.booksWithoutISBN) ? nil : "isbn:\(things.count)"
                let added = chance.fraction()
                for _ in 0..<(isSet ? chance.within(2...5) : 1) {
                    var book = Thing(section: section, content: things.count, added: added)
                    book.aliases = [isbn].compactMap { $0 }
                    if !isSet, chance.happens(Shares.otherEditions) { book.otherEdition = chance.below(deviceCount) }
                    things.append(book)
                }
            }
            section += 1
        }
    }

    // Notes lie in folders, and are added at any time. They have no evidence besides their places.

    private mutating func addNotes(_ count: Int, _ chance: inout Chance) {
        var section = 0
        var left = chance.within(5...40)
        while things.count < count {
            things.append(Thing(section: section, content: things.count, added: chance.fraction()))
            left -= 1
            if left == 0 {
                section += 1
                left = chance.within(5...40)
            }
        }
    }
}
