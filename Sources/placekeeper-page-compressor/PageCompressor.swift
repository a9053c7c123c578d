import Foundation

/// Writes a Swift file with the compressed bytes of files:
///
///     placekeeper-page-compressor OUTPUT ROOT FILE …
///
/// The name of a file is its path below `ROOT/Public`, or for a file elsewhere, its path below ROOT.
@main
enum PageCompressor {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
        guard arguments.count > 2 else {
            throw Failure(message: "usage: placekeeper-page-compressor OUTPUT ROOT FILE …")
        }
        let root = arguments[1].path + "/"
        var text = "enum CompressedFiles {\n"
        var names: [String] = []
        for (index, file) in arguments[2...].enumerated() {
            let path = String(file.path.dropFirst(root.count))
            names.append(path.hasPrefix("Public/") ? String(path.dropFirst("Public/".count)) : path)
            text += "    private static let file\(index): [UInt8] = \(try compressed(file))\n"
        }
        let pairs = names.enumerated().map { index, name in "(\"\(name)\", file\(index))" }
        text += "    static let all: [(name: String, gzip: [UInt8])] = [\(pairs.joined(separator: ", "))]\n}\n"
        try Data(text.utf8).write(to: arguments[0], options: .atomic)
    }

    /// Runs the program gzip, so that packages that depend on this one need no C library for the tool.
    private static func compressed(_ file: URL) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-9", "-n", "-c", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard process.terminationStatus == 0, !bytes.isEmpty else {
            throw Failure(message: "\(file.path): gzip cannot compress the file")
        }
        return bytes
    }

    private struct Failure: Error, CustomStringConvertible {
        var message: String
        var description: String { message }
    }
}
