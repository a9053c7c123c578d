/// The neighbors of an item whose images lie on the requesting device as on the source device: the longest chain of
/// images in one direction, without gaps that are much larger (docs/identity-algorithm.md#alignment).
package struct ImageChain {
    /// The image of a neighbor: `row` is the neighbor's index on the source device, and `place` is the image's index on
    /// the requesting device.
    package struct Image {
        package var row: Int
        package var place: Int

        package init(row: Int, place: Int) {
            self.row = row
            self.place = place
        }
    }

    private(set) var images: [Image] = []
    /// The images outside the chain, too.
    private let all: [Image]
    /// Whether the images rise on the requesting device.
    private(set) var isRising = true
    /// By how many places an item may be off, relative to its neighbors.
    private static let displacement = 5

    /// - Parameter images: the images in the order of the source device. There are at most 24, because the work is
    ///   proportional to the square of their number.
    init(_ images: [Image]) {
        all = images
        let (rising, falling) = (Self.longest(of: images, 1), Self.longest(of: images, -1))
        isRising = !falling.isBetter(than: rising)
        self.images = isRising ? rising.images : falling.images
    }

    /// A chain, and by how many places its distances differ from those on the source device.
    private struct Candidate {
        var images: [Image] = []
        var difference = 0

        func isBetter(than other: Candidate) -> Bool {
            (images.count, -difference) > (other.images.count, -other.difference)
        }
    }

    /// - Parameter direction: 1 for a rising chain, -1 for a falling one.
    private static func longest(of images: [Image], _ direction: Int) -> Candidate {
        /// For each image, the best chain that begins with it: its length, its difference, and its second image.
        var chains: [(count: Int, difference: Int, next: Int?)] = images.map { _ in (1, 0, nil) }
        for index in images.indices.reversed() {
            for next in images.indices[(index + 1)...] {
                let distance = direction * (images[next].place - images[index].place)
                let expected = images[next].row - images[index].row
                guard distance > 0, distance <= expected + displacement else { continue }
                let (count, difference) = (chains[next].count + 1, chains[next].difference + abs(distance - expected))
                if (count, -difference) > (chains[index].count, -chains[index].difference) {
                    chains[index] = (count, difference, next)
                }
            }
        }
        var start: Int?
        for index in chains.indices {
            guard let best = start.map({ chains[$0] }) else {
                start = index
                continue
            }
            if (chains[index].count, -chains[index].difference) > (best.count, -best.difference) { start = index }
        }
        var longest = Candidate(difference: start.map { chains[$0].difference } ?? 0)
        while let index = start {
            longest.images.append(images[index])
            start = chains[index].next
        }
        return longest
    }

    private static func split(
        _ images: [Image], at row: Int
    ) -> (before: ArraySlice<Image>, after: ArraySlice<Image>) {
        let index = images.firstIndex { $0.row > row } ?? images.endIndex
        return (images[..<index], images[index...])
    }

    /// Whether a place lies between the chain's images of the row's next neighbors on both sides.
    func isAround(_ place: Int, _ row: Int) -> Bool {
        let (before, after) = Self.split(images, at: row)
        guard let last = before.last?.place, let next = after.first?.place else { return false }
        return min(last, next) < place && place < max(last, next)
    }

    /// Whether a place is about as far from the image of one of the row's four next neighbors as the row is from the
    /// neighbor.
    func isNear(_ place: Int, to row: Int) -> Bool {
        let next = images.sorted { (abs($0.row - row), $0.row) < (abs($1.row - row), $1.row) }.prefix(4)
        return next.contains { abs(abs($0.place - place) - abs($0.row - row)) <= Self.displacement }
    }

    /// Whether a place is the only one between the next images on both devices, or the two nearest images on each side
    /// have the chain's direction around it. Here the images outside the chain object, too.
    func brackets(_ place: Int, _ row: Int) -> Bool {
        let (before, after) = Self.split(all, at: row)
        guard images.count > 2, let last = before.last, let next = after.first else { return false }
        if next.row - last.row == 2, abs(next.place - last.place) == 2, next.place + last.place == 2 * place {
            return true
        }
        let places = before.suffix(2).map(\.place) + [place] + after.prefix(2).map(\.place)
        return places.count == 5
            && zip(places, places.dropFirst()).allSatisfy { $0 != $1 && ($0 < $1) == isRising }
    }
}
