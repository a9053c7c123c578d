import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperRuntime
import PlacekeeperService

/// Everything that one device has registered.
struct Ledger: Sendable {
    struct State: Sendable {
        var time: Timestamp
        var elements: [RegisteredElement]
    }

    /// The registered list after each delta, the first one first.
    private(set) var states: [State] = []
    /// The aliases of each identifier that another identifier replaced, and the other identifier.
    private(set) var redirects: [(from: RegisteredElement, to: String)] = []

    var elements: [RegisteredElement] { states.last?.elements ?? [] }

    /// Returns the delta from the registered list to another list, and records the other list. Nil if there is nothing
    /// to send.
    mutating func change(
        to elements: [RegisteredElement], redirecting redirects: [(from: String, to: String)], at time: Timestamp
    ) -> ItemDelta? {
        let known = Dictionary(self.elements.map { ($0.identifier, $0) }) { first, _ in first }
        let new = Set(elements.map(\.identifier))
        var delta = ItemDelta()
        delta.upserts = elements.filter { known[$0.identifier] != $0 }.map {
            Item($0.identifier, aliases: $0.aliases, position: $0.position)
        }
        for redirect in redirects where new.contains(redirect.to) && !new.contains(redirect.from) {
            // If an identifier was reused since the last registration, only its first redirect is of the registered item.
            guard let from = known[redirect.from], !delta.redirects.contains(where: { $0.from == redirect.from }) else {
                continue
            }
            delta.redirects.append(.init(from: redirect.from, to: redirect.to))
            self.redirects.append((from, redirect.to))
        }
        let redirected = Set(delta.redirects.map(\.from))
        delta.removals = self.elements.map(\.identifier).filter { !new.contains($0) && !redirected.contains($0) }
        if delta.upserts.isEmpty, delta.removals.isEmpty, delta.redirects.isEmpty { return nil }
        states.append(State(time: time, elements: elements))
        return delta
    }

    /// Returns the list that was registered at a time. Nil if nothing was registered then.
    func state(at time: Timestamp) -> State? { states.last { $0.time <= time } }
}
