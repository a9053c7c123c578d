/// The places of the tests with a database that run at the same time. The server has a limited number of connections.
package actor TestPlaces {
    package static let shared = TestPlaces()

    private var free = 16
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package func take() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    }

    package func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
