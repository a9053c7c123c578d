import FoundationEssentials
import Glibc

/// The process's output, by write(2).
enum Output {
    /// A text, ended by a line break if it has none; nothing for an empty one.
    static func print(_ text: String) {
        write(Array((text.isEmpty || text.utf8.last == 0x0A ? text : text + "\n").utf8))
    }

    static func write(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

    /// A line on standard error.
    static func report(_ line: String) { write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// A value as JSON, its members sorted.
    static func json(_ value: some Encodable) throws(CommandFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            write(Array(try encoder.encode(value)) + [0x0A])
        } catch {
            throw CommandFailure(.failure, "what is to be printed has no form in JSON")
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                // The reader went away (`… | head`) or the disk is full: nobody is left to be told.
                if count < 0 { return }
                written += count
            }
        }
    }
}
