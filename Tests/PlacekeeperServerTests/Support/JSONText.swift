@testable import PlacekeeperServer

enum JSONText {
    static func object(_ members: [String: String]) throws -> [UInt8] { try JSONBody.encode(members) }
    static func value(_ value: some Encodable) throws -> [UInt8] { try JSONBody.encode(value) }
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONBody.encode(value), as: UTF8.self)
    }
}
