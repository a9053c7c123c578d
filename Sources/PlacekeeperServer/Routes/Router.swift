import PlacekeeperHTTP

/// Finds the resource for a path in a trie of the route templates. The search reads the path's bytes without
/// allocating. A literal segment takes precedence over a variable segment.
struct Router: Sendable {
    /// A route and its index in the table.
    final class Endpoint: Sendable {
        let route: Route
        let row: Int

        init(_ route: Route, row: Int) {
            self.route = route
            self.row = row
        }
    }

    /// The routes with the same template.
    struct Resource: Sendable {
        var get: Endpoint?
        var put: Endpoint?
        var post: Endpoint?
        var patch: Endpoint?
        var delete: Endpoint?

        /// Returns the route for a method. HEAD uses the GET route.
        func endpoint(for method: PlacekeeperHTTP.Method) -> Endpoint? {
            switch method {
            case .get, .head: get
            case .put: put
            case .post: post
            case .patch: patch
            case .delete: delete
            case .options, .trace, .other: nil
            }
        }

        /// The value of the field `Allow`: the supported methods.
        var allow: String {
            var methods = get == nil ? [] : ["GET", "HEAD"]
            if put != nil { methods.append("PUT") }
            if post != nil { methods.append("POST") }
            if patch != nil { methods.append("PATCH") }
            if delete != nil { methods.append("DELETE") }
            return (methods + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    private struct Node: Sendable {
        var edges: Range<Int> = 0..<0
        var parameter: Int?
        var resource: Int?
    }

    private struct Edge: Sendable {
        var literal: Range<Int>
        var target: Int
    }

    private(set) var resources: [Resource] = []
    private var nodes: [Node] = []
    private var edges: [Edge] = []
    private var literals: [UInt8] = []

    init(_ routes: [Route] = Route.all) {
        let root = Branch()
        for (row, route) in routes.enumerated() {
            let endpoint = Endpoint(route, row: row)
            let resource = resource(at: route.template, below: root)
            switch route.method {
            case .get: resources[resource].get = endpoint
            case .put: resources[resource].put = endpoint
            case .post: resources[resource].post = endpoint
            case .patch: resources[resource].patch = endpoint
            case .delete: resources[resource].delete = endpoint
            }
        }
        flatten(root)
    }

    /// Returns the index of the template's resource, which is added if it is new.
    private mutating func resource(at template: String, below root: Branch) -> Int {
        var branch = root
        for segment in template.split(separator: "/") {
            branch = segment.hasPrefix("{") ? branch.parameterBranch() : branch.branch(at: String(segment))
        }
        let resource = branch.resource ?? resources.count
        if branch.resource == nil { resources.append(Resource()) }
        branch.resource = resource
        return resource
    }

    /// Matches the path in the range `path` of `bytes`. Nil if no template matches.
    func match(_ bytes: [UInt8], path: Range<Int>) -> PathMatch? {
        bytes.withUnsafeBufferPointer { bytes in
            nodes.withUnsafeBufferPointer { nodes in
                edges.withUnsafeBufferPointer { edges in
                    literals.withUnsafeBufferPointer { literals in
                        Self.match(bytes, path, nodes, edges, literals)
                    }
                }
            }
        }
    }

    private static func match(
        _ bytes: UnsafeBufferPointer<UInt8>, _ path: Range<Int>, _ nodes: UnsafeBufferPointer<Node>,
        _ edges: UnsafeBufferPointer<Edge>, _ literals: UnsafeBufferPointer<UInt8>
    ) -> PathMatch? {
        var match = PathMatch(resource: 0)
        var node = nodes[0]
        var start = path.lowerBound
        while start < path.upperBound {
            guard bytes[start] == 0x2F else { return nil }
            start += 1
            var end = start
            while end < path.upperBound, bytes[end] != 0x2F { end += 1 }
            guard end > start else { return nil }
            let segment = UnsafeBufferPointer(rebasing: bytes[start..<end])
            var next: Int?
            for edge in node.edges
            where UnsafeBufferPointer(rebasing: literals[edges[edge].literal]).elementsEqual(segment) {
                next = edges[edge].target
                break
            }
            if next == nil, let parameter = node.parameter {
                switch match.parameterCount {
                case 0: match.parameters.0 = start..<end
                case 1: match.parameters.1 = start..<end
                case 2: match.parameters.2 = start..<end
                default: match.parameters.3 = start..<end
                }
                match.parameterCount += 1
                next = parameter
            }
            guard let next else { return nil }
            node = nodes[next]
            start = end
        }
        guard let resource = node.resource else { return nil }
        match.resource = resource
        return match
    }

    /// Copies a branch into `nodes`, `edges` and `literals`. Returns the index of its node.
    @discardableResult private mutating func flatten(_ branch: Branch) -> Int {
        let index = nodes.count
        nodes.append(Node(resource: branch.resource))
        var own: [Edge] = []
        for (literal, next) in branch.literals {
            let start = literals.count
            literals.append(contentsOf: literal.utf8)
            let range = start..<literals.count
            own.append(Edge(literal: range, target: flatten(next)))
        }
        nodes[index].edges = edges.count..<edges.count + own.count
        edges.append(contentsOf: own)
        if let parameter = branch.parameter { nodes[index].parameter = flatten(parameter) }
        return index
    }

    /// A node of the trie under construction.
    private final class Branch {
        var literals: [(literal: String, branch: Branch)] = []
        var parameter: Branch?
        var resource: Int?

        func branch(at literal: String) -> Branch {
            if let found = literals.first(where: { $0.literal == literal }) { return found.branch }
            let branch = Branch()
            literals.append((literal, branch))
            return branch
        }

        func parameterBranch() -> Branch {
            let branch = parameter ?? Branch()
            parameter = branch
            return branch
        }
    }
}

/// The resource that a path matched, and the ranges of the path's variable segments in the head's bytes.
struct PathMatch: Sendable {
    /// The index of the resource.
    var resource: Int
    /// The first four variable segments. No template has more.
    var parameters: (Range<Int>, Range<Int>, Range<Int>, Range<Int>) = (0..<0, 0..<0, 0..<0, 0..<0)
    var parameterCount = 0
}
