import PlacekeeperSystem
import Foundation

/// The terminal of the interactive demo.
struct Terminal {
    /// The keys that the user presses. Ends with the input.
    let keys: AsyncStream<Key>

    /// Whether the input and the output are a terminal.
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// The number of columns and rows. Nil if the terminal doesn't report them.
    static var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Takes over the terminal: reads single keys, and shows an alternate screen. `CleanUp` restores the terminal.
    /// Ctrl-C ends the demo immediately, even while a device waits for the service.
    init() {
        var saved = termios()
        tcgetattr(STDIN_FILENO, &saved)
        var raw = saved
        cfmakeraw(&raw)
        // Keep translating line breaks.
        raw.c_oflag |= tcflag_t(OPOST)
        CleanUp.add { [saved] in
            var saved = saved
            Terminal.write("\u{1B}[?25h\u{1B}[?1049l")
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved)
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        Self.write("\u{1B}[?1049h\u{1B}[?25l")
        let (keys, pressed) = AsyncStream.makeStream(of: Key.self)
        self.keys = keys
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 256)
            while case let count = read(STDIN_FILENO, &bytes, bytes.count), count > 0 {
                for key in Key.keys(in: Array(bytes.prefix(count))) {
                    if key == .interrupt { CleanUp.exit(128 + SIGINT) }
                    pressed.yield(key)
                }
            }
            pressed.finish()
        }
    }

    /// Draws the lines from the top left corner.
    func draw(_ lines: [String]) {
        Self.write("\u{1B}[H" + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[K\u{1B}[J")
    }

    /// Writes a text. Failures aren't reported, because the terminal may be gone.
    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { PlacekeeperSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
