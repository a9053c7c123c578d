import Foundation

/// The parts of `openapi.yaml` that tests use. The initializer finds these parts by the indentation of the lines.
struct Description {
    struct Operation: Hashable {
        var path: Substring
        /// The method as in a request line.
        var method: String
        var operationID: Substring = ""
        /// The name of the schema of the JSON body. Nil if there is no JSON body.
        var requestSchema: Substring?
    }

    private(set) var operations: [Operation] = []
    /// The member names of each object schema.
    private(set) var members: [Substring: Set<Substring>] = [:]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = String(decoding: try Data(contentsOf: root.appending(path: "openapi.yaml")), as: UTF8.self)
        let lines = text.split(separator: "\n")
        // The keys that contain a line, each with its indentation.
        var above: [(indentation: Int, key: Substring)] = []
        for line in lines {
            let content = line.drop { $0 == " " }
            let indentation = line.count - content.count
            guard let colon = content.firstIndex(of: ":"), !content.hasPrefix("-") else { continue }
            above.removeAll { $0.indentation >= indentation }
            read(above.map(\.key) + [content[..<colon]], content)
            above.append((indentation, content[..<colon]))
        }
    }

    /// Reads a line.
    ///
    /// - Parameter keys: the keys above the line, and the line's own key.
    private mutating func read(_ keys: [Substring], _ line: Substring) {
        if keys.count == 3, keys[0] == "paths", keys[2] != "parameters" {
            operations.append(Operation(path: keys[1], method: keys[2].uppercased()))
        }
        if keys.count == 4, keys[0] == "paths", keys[3] == "operationId" {
            operations[operations.count - 1].operationID = line.dropFirst("operationId: ".count)
        }
        if keys.count == 7, keys[0] == "paths", keys[3] == "requestBody", keys[5] == "application/json",
            keys[6] == "schema", line.contains("$ref")
        {
            operations[operations.count - 1].requestSchema = line.split(separator: "/").last?.prefix { $0 != "'" }
        }
        if keys.count == 5, keys.starts(with: ["components", "schemas"]), keys[3] == "properties" {
            members[keys[2], default: []].insert(keys[4])
        }
    }

    /// The described methods by path.
    var methods: [Substring: Set<String>] {
        Dictionary(grouping: operations, by: \.path).mapValues { Set($0.map(\.method)) }
    }
}
