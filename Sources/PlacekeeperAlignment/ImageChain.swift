/// The neighbors of an item whose images lie on the requesting device as on the source device: the longest chain of
/// images in one direction, without gaps that are much larger (docs/identity-algorithm.md#alignment).
package struct ImageChain {
    /// The image of a neighbor: `row` is the neighbor's index on the source device, and `place` is the image's index on
    /// the requesting device.
    package struct Image {
        package var row: Int
        package var place: Int
        /// Whether the neighbor can't have another image.
        package var isSole: Bool

        package init(row: Int, place: Int, isSole: Bool = true) {
            self.row = row
            self.place = place
            self.isSole = isSole
        }
    }

    private(set) package var images: [Image] = []
    /// The sole images, also those outside the chain.
    private let sole: [Image]
    /// Whether the images rise on the requesting device.
    private(set) var isRising = true
    /// By how many places an item may be off, relative to its neighbors.
    private static let displacement = 5

    /// - Parameter images: the images in the order of the source device, of which each neighbor may have several. There
    ///   are at most 64, because the work is proportional to the square of their number.
    package init(_ images: [Image]) {
        sole = images.filter(\.isSole)
        let (rising, falling) = (Self.chains(of: images, 1), Self.chains(of: images, -1))
        isRising = !falling.best.isBetter(than: rising.best)
        let (links, best) = isRising ? rising : falling
        var link: Link? = best.length > 0 ? best : nil
        while let current = link {
            self.images.append(images[current.image])
            link = current.next.map { links[$0] }
        }
    }

    /// Returns how many neighbors of an item lie around a place as they lie around the item, and how many of the
    /// neighbors near the place lie in another order.
    static func support(of place: Int, at row: Int, among images: [Image]) -> (count: Int, against: Int) {
        let near = images.filter { abs($0.place - place) <= abs($0.row - row) + displacement }
        var count = 0
        for direction in [1, -1] {
            let fitting = near.filter { direction * ($0.place - place).signum() == ($0.row - row).signum() }
            count = max(count, chains(of: fitting, direction).best.length)
        }
        return (count, Set(near.map(\.row)).count - count)
    }

    /// The best chain that begins with an image.
    private struct Link {
        var image = 0
        var length = 0
        /// By how many places the distances differ from those on the source device.
        var difference = 0
        /// The second image.
        var next: Int?

        func isBetter(than other: Link) -> Bool { (length, -difference) > (other.length, -other.difference) }
    }

    /// - Parameter direction: 1 for rising chains, -1 for falling ones.
    private static func chains(of images: [Image], _ direction: Int) -> (links: [Link], best: Link) {
        var links = images.indices.map { Link(image: $0, length: 1) }
        for index in images.indices.reversed() {
            for next in (index + 1)..<images.count {
                let distance = direction * (images[next].place - images[index].place)
                let expected = images[next].row - images[index].row
                guard expected > 0, distance > 0, distance <= expected + displacement else { continue }
                let link = Link(
                    image: index, length: links[next].length + 1,
                    difference: links[next].difference + abs(distance - expected), next: next)
                if link.isBetter(than: links[index]) { links[index] = link }
            }
        }
        return (links, links.reduce(Link()) { $1.isBetter(than: $0) ? $1 : $0 })
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
    /// have the chain's direction around it. Here the sole images outside the chain object, too.
    func brackets(_ place: Int, _ row: Int) -> Bool {
        let (before, after) = Self.split(sole, at: row)
        guard images.count > 2, let last = before.last, let next = after.first else { return false }
        if next.row - last.row == 2, abs(next.place - last.place) == 2, next.place + last.place == 2 * place {
            return true
        }
        let places = before.suffix(2).map(\.place) + [place] + after.prefix(2).map(\.place)
        return places.count == 5
            && zip(places, places.dropFirst()).allSatisfy { $0 != $1 && ($0 < $1) == isRising }
    }
}
