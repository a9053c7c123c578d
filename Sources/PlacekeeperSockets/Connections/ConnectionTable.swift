import PlacekeeperSystem

/// A worker's record of a connection. It is small, because most connections are idle.
struct Slot {
    var connection = Connection()
    /// The kind of `deadline`. Nil if there is none.
    var timer: Connection.Timer?
    /// The events that are registered with the poller.
    var watched: SocketEvents = []
    let descriptor: Int32
    /// Distinguishes this connection from others in the same slot. Never 0, which marks the poller's own events.
    let generation: UInt32
    /// The tick at which `timer` expires.
    var deadline: UInt32 = 0
    let peer: String
    var framingContext: MessageState?
}

typealias SlotPointer = UnsafeMutablePointer<Slot>

extension SlotPointer {
    /// Returns the connection's message state, which is created if needed.
    func makeMessageState() -> MessageState {
        if let framingContext = pointee.framingContext { return framingContext }
        let framingContext = MessageState()
        pointee.framingContext = framingContext
        return framingContext
    }
}

/// Identifies a connection, even after it closes. Handlers keep an id, because they may outlive the connection.
struct ConnectionID: Sendable, Hashable {
    var index: UInt32
    var generation: UInt32
}

/// The connections of one worker. A slot never moves. A page without connections returns its memory to the system.
struct ConnectionTable: ~Copyable {
    private struct Page {
        var slots: SlotPointer?
        /// One bit per slot of the page, set if a connection occupies the slot.
        var occupied: UInt64 = 0
    }

    private static let placesPerPage = UInt64.bitWidth
    private static let pageBytes = placesPerPage * MemoryLayout<Slot>.stride

    private var pages: [Page] = []
    private var lastGeneration: UInt32 = 0
    private(set) var count = 0

    subscript(token: ConnectionID) -> SlotPointer? {
        let (page, place) = Int(token.index).quotientAndRemainder(dividingBy: Self.placesPerPage)
        guard page < pages.count, pages[page].occupied >> UInt64(place) & 1 == 1, let slots = pages[page].slots
        else { return nil }
        let slot = slots + place
        return slot.pointee.generation == token.generation ? slot : nil
    }

    mutating func insert(descriptor: Int32, peer: String) -> (ConnectionID, SlotPointer) {
        let number = pages.firstIndex { $0.occupied != .max } ?? pages.endIndex
        if number == pages.endIndex { pages.append(Page()) }
        let place = (~pages[number].occupied).trailingZeroBitCount
        let slots = pages[number].slots ?? Self.map()
        pages[number].slots = slots
        pages[number].occupied |= 1 << UInt64(place)
        count += 1
        // Skip generation 0, which marks the poller's own events.
        lastGeneration = lastGeneration == .max ? 1 : lastGeneration + 1
        let slot = slots + place
        slot.initialize(to: Slot(descriptor: descriptor, generation: lastGeneration, peer: peer))
        let index = UInt32(number * Self.placesPerPage + place)
        return (ConnectionID(index: index, generation: lastGeneration), slot)
    }

    mutating func remove(_ token: ConnectionID) {
        guard let slot = self[token] else { return }
        slot.deinitialize(count: 1)
        let (page, place) = Int(token.index).quotientAndRemainder(dividingBy: Self.placesPerPage)
        pages[page].occupied &= ~(1 << UInt64(place))
        count -= 1
        if pages[page].occupied == 0, let slots = pages[page].slots {
            munmap(slots, Self.pageBytes)
            pages[page].slots = nil
        }
        while let last = pages.last, last.slots == nil { pages.removeLast() }
    }

    func forEach(_ body: (ConnectionID, SlotPointer) -> Void) {
        for (number, page) in pages.enumerated() {
            guard let slots = page.slots else { continue }
            var rest = page.occupied
            while rest != 0 {
                let place = rest.trailingZeroBitCount
                rest &= rest - 1
                let index = UInt32(number * Self.placesPerPage + place)
                body(ConnectionID(index: index, generation: slots[place].generation), slots + place)
            }
        }
    }

    private static func map() -> SlotPointer {
        let memory = mmap(nil, pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        // Fails only if memory runs out. The connection limit bounds the pages: 20,000 connections need about 313. The
        // memory is zeroed and page-aligned.
        guard let memory, memory != MAP_FAILED else { fatalError("out of memory") }
        return memory.bindMemory(to: Slot.self, capacity: placesPerPage)
    }
}
