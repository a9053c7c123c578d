import FoundationEssentials
import Glibc

/// The process's output, by write(2).
enum Output {
    /// A text, ended by a line break if it has none; nothing for an empty one.
    static func print(_ text: String) throws(CommandFailure) {
        try write(Array((text.isEmpty || text.utf8.last == 0x0A ? text : text + "\n").utf8))
    }

    /// All of it, or what is wrong. A reader that went away (`… | head`) has what it wanted.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        let code = write(bytes, to: STDOUT_FILENO)
        guard code == 0 || code == EPIPE else {
            throw CommandFailure(.unavailable, "cannot write the output: \(String(cString: strerror(code)))")
        }
    }

    /// A line on standard error. When that cannot be written either, nobody is left to be told.
    static func report(_ line: String) { _ = write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Whole lines on standard error.
    static func report(_ lines: [UInt8]) { _ = write(lines, to: STDERR_FILENO) }

    /// A value as JSON where that is asked for, or else a text that says the same.
    static func show(_ value: some Encodable, as text: String, for arguments: Arguments) throws(CommandFailure) {
        if try arguments.isOn(.json) { try json(value) } else { try print(text) }
    }

    /// A value as JSON, its members sorted.
    static func json(_ value: some Encodable) throws(CommandFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes: [UInt8]
        do {
            bytes = Array(try encoder.encode(value)) + [0x0A]
        } catch {
            throw CommandFailure(.failure, "what is to be printed has no form in JSON")
        }
        try write(bytes)
    }

    /// 0, or what stood in the way as `errno` tells it.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                if count < 0 { return errno }
                written += count
            }
            return 0
        }
    }
}
