import Foundation
import PlacekeeperRuntime

/// The metadata of a library's things in the second set. Its apps give the aliases that the SDK makes of it beside the
/// evidence of the first set; music apps give only these.
struct Metadata: Sendable {
    private let library: Library
    private var chance: Chance
    /// For each thing: its number in its album, its volume in its set, or nil.
    private var numbers: [Int?] = []
    /// The sections whose tracks have no album.
    private var untagged: Set<Int> = []
    /// For each book, the book whose title and author it has: another edition's, or its own.
    private var works: [Int] = []
    /// For each photo, the time of its capture.
    private var times: [Date?] = []

    init(_ library: Library, seed: UInt64) {
        self.library = library
        chance = Chance(seed: seed ^ 0x6D65_7461)
        let things = library.things
        switch library.kind {
        case .music:
            var albumsWithNumbers: Set<Int> = []
            for section in 0...(things.last?.section ?? 0) {
                if chance.happens(Shares.untaggedAlbums) { untagged.insert(section) }
                if !chance.happens(Shares.albumsWithoutNumbers) { albumsWithNumbers.insert(section) }
            }
            var count = 0
            for (index, thing) in things.enumerated() {
                count = index > 0 && things[index - 1].section == thing.section ? count + 1 : 1
                numbers.append(albumsWithNumbers.contains(thing.section) ? count : nil)
            }
        case .books:
            works = Array(things.indices)
            var volume = 1
            for (index, thing) in things.enumerated() {
                let isVolume =
                    !thing.aliases.isEmpty
                    && things.contains { $0.content != thing.content && $0.aliases == thing.aliases }
                let isFirst = !isVolume || index == 0 || things[index - 1].aliases != thing.aliases
                if isVolume, !isFirst { works[index] = works[index - 1] }
                volume = isFirst ? 1 : volume + 1
                numbers.append(isVolume && chance.happens(Shares.numberedVolumes) ? volume : nil)
                if !isVolume, index > 0, things[index - 1].section == thing.section,
                    chance.happens(Shares.editionsOwned)
                {
                    works[index] = works[index - 1]
                }
            }
        case .photos:
            var original: [Int: Date?] = [:]
            var second = 0.0
            for (index, thing) in things.enumerated() {
                let server = thing.aliases.first { $0.hasPrefix("server:") }
                let isBurst = index > 0 && server != nil && things[index - 1].aliases.contains(server ?? "")
                if !isBurst { second = Double(index) * 600 }
                let isDated = chance.happens(Shares.dated)
                let milliseconds = chance.happens(Shares.fractions) ? chance.below(1000) : 0
                let time = isDated ? Date(timeIntervalSince1970: second + Double(milliseconds) / 1000) : nil
                let known = original[thing.content] ?? time
                original[thing.content] = known
                times.append(known)
            }
        case .notes, .adversarial: break
        }
    }

    /// Returns all aliases of the things on a device.
    /// - Parameter evidence: For each thing, its aliases of the first set on the device.
    mutating func aliases(beside evidence: [[String]], on device: Int) -> [[String]] {
        let editedAlbums = Set(
            (0...(library.things.last?.section ?? 0)).filter { _ in chance.happens(Shares.editedAlbums) })
        return library.things.indices.map { thing in
            let own = evidence[thing]
            switch library.kind {
            case .music: return track(thing, key: own.first ?? "", device, editedAlbums)
            case .books: return own + book(thing, device)
            case .photos: return own + photo(thing)
            case .notes, .adversarial: return own
            }
        }
    }

    private func track(_ thing: Int, key: String, _ device: Int, _ editedAlbums: Set<Int>) -> [String] {
        let section = library.things[thing].section
        let edit = " (edited \(device))"
        let fields = key.dropFirst("key:".count).replacing(edit, with: "").split(separator: "|").map(String.init)
        guard fields.count == 2 else { return [] }
        let album = "album \(section)" + (editedAlbums.contains(section) ? edit : "")
        return MetadataAliases.track(
            title: fields[0] + (key.hasSuffix(edit) ? edit : ""), artist: fields[1],
            album: untagged.contains(section) ? nil : album, disc: numbers[thing] == nil ? nil : 1,
            number: numbers[thing])
    }

    private mutating func book(_ thing: Int, _ device: Int) -> [String] {
        let spelling = chance.happens(Shares.spelledDifferently) ? " (device \(device))" : ""
        return MetadataAliases.book(
            title: "title \(works[thing])" + spelling, author: "author \(library.things[thing].section)",
            volume: numbers[thing])
    }

    private mutating func photo(_ thing: Int) -> [String] {
        let isCropped = chance.happens(Shares.cropped)
        guard let time = times[thing] else { return [] }
        return MetadataAliases.photo(captured: time, width: isCropped ? 3000 : 4032, height: 3024)
    }
}
