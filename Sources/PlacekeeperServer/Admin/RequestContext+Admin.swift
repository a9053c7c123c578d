import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperJSON
import PlacekeeperService

extension RequestContext {
    /// Returns `limit`, the maximum number of items on a page of the admin API.
    func adminPageLimit() throws(Problem) -> Int { try number("limit", in: 1...Limits.page) ?? 50 }

    /// Returns the identifier in a variable segment of the path. Nil if the segment is not a UUID.
    func id<Entity>(_ segment: KeyPath<PathMatch, Range<Int>>) -> ID<Entity>? {
        ID(head.bytes[match[keyPath: segment]])
    }

    /// Parses the JSON body of an admin API request.
    func members(_ server: Server) throws -> AdminMembers {
        AdminMembers(try json(server, values: 1000))
    }

    /// Parses the JSON body of an admin API request, with at most `values` values.
    func json(_ server: Server, values: Int) throws -> JSONValue {
        do {
            return try JSONValue(try content(server.gzip), depth: 8, values: values)
        } catch let fault as JSONGrammar.Fault {
            throw Problem(fault)
        }
    }
}

/// The members of the JSON body of an admin API request. Unknown members are ignored.
struct AdminMembers {
    private let body: JSONValue

    init(_ body: JSONValue) { self.body = body }

    private func member(_ name: String) throws(Problem) -> JSONValue? {
        let value = body[name]
        if value == .null { throw .invalid(name, "The member must not be null.") }
        return value
    }

    /// Returns a text. Nil if the member is absent.
    func optionalText(_ name: String) throws(Problem) -> String? {
        guard let value = try member(name) else { return nil }
        guard let text = value.text else { throw .invalid(name, "The member must be a text.") }
        return String(decoding: text, as: UTF8.self)
    }

    func text(_ name: String) throws(Problem) -> String {
        guard let text = try optionalText(name) else { throw .invalid(name, "The member is missing.") }
        return text
    }

    /// Returns a whole number. Nil if the member is absent.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let value = try member(name) else { return nil }
        guard let number = value.number.flatMap(Int.init(exactly:)), range.contains(number) else {
            throw .invalid(
                name, "The member must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Returns true or false. Nil if the member is absent.
    func optionalTruth(_ name: String) throws(Problem) -> Bool? {
        guard let value = try member(name) else { return nil }
        guard case .boolean(let truth) = value else { throw .invalid(name, "The member must be true or false.") }
        return truth
    }

    func optionalRole() throws(Problem) -> Role? {
        try optionalText("role") == nil ? nil : try role()
    }

    func role() throws(Problem) -> Role {
        let text = try text("role")
        guard let role = Role(rawValue: text) else {
            throw .invalid("role", "The role must be viewer, operator or owner.")
        }
        return role
    }
}

extension Problem {
    /// Returns the problem for an invalid member of a body.
    static func invalid(_ member: String, _ detail: String) -> Problem {
        var problem = Problem(.invalidBody, detail)
        problem.point(to: [member])
        return problem
    }
}
