@testable import PlacekeeperServer

enum JSONText {
    static func object(_ members: [String: String]) throws -> [UInt8] { try JSONBody.encode(members) }
}
