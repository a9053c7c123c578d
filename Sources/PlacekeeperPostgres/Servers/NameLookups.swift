import Dispatch
import PlacekeeperConcurrency
import PlacekeeperSystem

/// Looks up the addresses of host names, each on its own thread, because a lookup blocks for as long as the system
/// likes. A name has at most one lookup at a time; others wait for the same one.
final class NameLookups: Sendable {
    enum Result: Sendable {
        case addresses([String])
        case failure(String)
    }

    /// A lookup that may still be in progress.
    final class Lookup: Sendable {
        fileprivate let box = LockBox<Result?>(nil)

        /// `nil` while it is in progress.
        var result: Result? { box.withLock(\.self) }
    }

    private let running = LockBox<[String: Lookup]>([:])

    /// Starts a lookup, or joins the one in progress. An address needs none, so its result is there immediately.
    func start(_ name: String) -> Lookup {
        if case .addresses(let addresses) = Self.addresses(of: name, flags: AI_NUMERICHOST) {
            let lookup = Lookup()
            lookup.box.withLock { $0 = .addresses(addresses) }
            return lookup
        }
        let (lookup, isNew) = running.withLock { running -> (Lookup, Bool) in
            if let lookup = running[name] { return (lookup, false) }
            let lookup = Lookup()
            running[name] = lookup
            return (lookup, true)
        }
        if isNew {
            DispatchQueue(label: "placekeeper.postgres.lookup").async { [running] in
                let result = Self.addresses(of: name, flags: 0)
                running.withLock { $0[name] = nil }
                lookup.box.withLock { $0 = result }
            }
        }
        return lookup
    }

    private static func addresses(of name: String, flags: Int32) -> Result {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_socktype = Platform.streamSocket
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else { return .failure(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = list
        while let found = entry {
            var text = [CChar](repeating: 0, count: 256)
            let code = getnameinfo(
                found.pointee.ai_addr, found.pointee.ai_addrlen, &text, 256, nil, 0, NI_NUMERICHOST)
            let address = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
            if code == 0, let address, !addresses.contains(address) { addresses.append(address) }
            entry = found.pointee.ai_next
        }
        return addresses.isEmpty ? .failure("it has no address") : .addresses(addresses)
    }
}
