import PlacekeeperSystem

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the process's output with write(2).
enum Output {
    /// Prints a text, and adds a line break if it doesn't end with one. Prints nothing for an empty text.
    static func print(_ text: String) throws(CommandFailure) {
        try write(Array((text.isEmpty || text.utf8.last == 0x0A ? text : text + "\n").utf8))
    }

    /// Writes all bytes. A closed pipe (`… | head`) is not an error, because its reader has read enough.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        let code = write(bytes, to: STDOUT_FILENO)
        guard code == 0 || code == EPIPE else {
            throw CommandFailure(.unavailable, "cannot write the output: \(String(cString: strerror(code)))")
        }
    }

    /// Writes a line to standard error. Ignores errors, because there is nowhere else to report them.
    static func report(_ line: String) { _ = write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Writes whole lines to standard error.
    static func report(_ lines: [UInt8]) { _ = write(lines, to: STDERR_FILENO) }

    /// Prints the value as JSON with `--json`, or else the text and the next step.
    static func show(
        _ value: some Encodable, as text: String, next: @autoclosure () -> String? = nil, for arguments: Arguments
    ) throws(CommandFailure) {
        if try arguments.isOn(.json) { try json(value) } else { try print(text) }
        guard try showsNext(for: arguments), let next = next() else { return }
        report("next: " + next)
    }

    /// Prints the next step as one line on standard error, if somebody is likely to read it.
    static func next(_ step: @autoclosure () -> String, for arguments: Arguments) throws(CommandFailure) {
        if try showsNext(for: arguments) { report("next: " + step()) }
    }

    /// Whether standard error is a terminal and `--json` is off. The next step isn't meant for scripts and logs.
    private static func showsNext(for arguments: Arguments) throws(CommandFailure) -> Bool {
        let isJSON = try arguments.isOn(.json)
        return !isJSON && isatty(STDERR_FILENO) == 1
    }

    /// Prints a value as JSON with sorted members.
    static func json(_ value: some Encodable) throws(CommandFailure) {
        try write(encoded(value, .prettyPrinted) + [0x0A])
    }

    /// Returns a value as JSON with sorted members, on one line unless `formatting` says otherwise.
    static func encoded(
        _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting = []
    ) throws(CommandFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [formatting, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw CommandFailure(.failure, "the result cannot be written as JSON; leave out --json")
        }
    }

    /// Writes all bytes to a file or a pipe. A closed pipe is an error.
    ///
    /// - Parameter name: how an error names the output.
    static func write(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws(CommandFailure) {
        let code: Int32 = write(bytes, to: descriptor)
        guard code == 0 else {
            throw CommandFailure(.unavailable, "cannot write \(name): \(String(cString: strerror(code)))")
        }
    }

    /// Returns 0, or the `errno` of the write that failed.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                // There are bytes left, so the buffer has an address.
                let count = PlacekeeperSystem.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                if count < 0 { return errno }
                written += count
            }
            return 0
        }
    }
}
