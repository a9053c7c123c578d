/// A queue of elements that belong to several owners. Owners take turns, so one with many elements doesn't delay the
/// others. Each owner's elements keep their order.
struct FairQueue<Owner: Hashable & Sendable, Element: Sendable>: Sendable {
    private var waiting: [Owner: FirstInFirstOut<Element>] = [:]
    /// The owners in `waiting`, each listed once, in the order of their turns.
    private var turns = FirstInFirstOut<Owner>()

    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    mutating func append(_ element: Element, of owner: Owner) {
        if waiting[owner] == nil { turns.append(owner) }
        waiting[owner, default: FirstInFirstOut()].append(element)
    }

    /// Adds an element in front of the owner's other elements. The owner keeps its turn.
    mutating func prepend(_ element: Element, of owner: Owner) {
        if waiting[owner] == nil { turns.append(owner) }
        waiting[owner, default: FirstInFirstOut()].prepend(element)
    }

    /// Whether no owner has a turn.
    var isEmpty: Bool { turns.isEmpty }

    /// Removes and returns the first element of the owner whose turn it is. Nil if the queue is empty.
    mutating func take() -> Element? {
        while let owner = turns.take() {
            let element = waiting[owner]?.take()
            if waiting[owner]?.isEmpty == false { turns.append(owner) } else { waiting[owner] = nil }
            if let element { return element }
        }
        return nil
    }

    /// Removes and returns an owner's elements that satisfy `isTaken`, in order. The owner keeps its turn.
    mutating func takeAll(of owner: Owner, where isTaken: (Element) -> Bool) -> [Element] {
        var rest = FirstInFirstOut<Element>()
        var taken: [Element] = []
        while let element = waiting[owner]?.take() {
            if isTaken(element) { taken.append(element) } else { rest.append(element) }
        }
        if waiting[owner] != nil { waiting[owner] = rest }
        return taken
    }
}

/// A first-in, first-out queue. It frees storage once more than half of its elements have been taken.
struct FirstInFirstOut<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// The index of the next element. Elements before it have been taken.
    private var next = 0

    var count: Int { elements.count - next }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ element: Element) {
        if next > 0 {
            next -= 1
            elements[next] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    mutating func take() -> Element? {
        guard next < elements.count else { return nil }
        defer {
            next += 1
            if next * 2 > elements.count {
                elements.removeFirst(next)
                next = 0
            }
        }
        return elements[next]
    }
}
