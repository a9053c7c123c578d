import Compression
import Foundation

/// Writes a Swift file with the compressed bytes of files:
///
///     page-compressor OUTPUT ROOT FILE …
///
/// A file below `ROOT/Public` gets its path below this folder as its name. Another file gets its path below ROOT.
@main
enum PageCompressor {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
        guard arguments.count > 2 else { throw Failure(message: "usage: page-compressor OUTPUT ROOT FILE …") }
        let root = arguments[1].path + "/"
        let compressor = Compressor(.gzip, level: 9)
        var text = "enum CompressedFiles {\n"
        var names: [String] = []
        for (index, file) in arguments[2...].enumerated() {
            let path = String(file.path.dropFirst(root.count))
            names.append(path.hasPrefix("Public/") ? String(path.dropFirst("Public/".count)) : path)
            let bytes = [UInt8](try Data(contentsOf: file))
            guard let coded = compressor.deflate(bytes, limit: bytes.count + 1024) else {
                throw Failure(message: "\(path): the file cannot be compressed")
            }
            text += "    private static let file\(index): [UInt8] = \(coded)\n"
        }
        let pairs = names.enumerated().map { index, name in "(\"\(name)\", file\(index))" }
        text += "    static let all: [(name: String, gzip: [UInt8])] = [\(pairs.joined(separator: ", "))]\n}\n"
        try Data(text.utf8).write(to: arguments[0], options: .atomic)
    }

    private struct Failure: Error, CustomStringConvertible {
        var message: String
        var description: String { message }
    }
}
