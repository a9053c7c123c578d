@testable import PlacekeeperServer

// Tests name a route by its operation.
extension Route: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    init(stringLiteral operation: String) {
        guard let route = Self.all.first(where: { $0.operation == operation }) else {
            preconditionFailure("no route has the operation \(operation)")
        }
        self = route
    }

    static func == (first: Route, second: Route) -> Bool { first.operation == second.operation }

    func hash(into hasher: inout Hasher) { hasher.combine(operation) }

    var description: String { operation }
}
