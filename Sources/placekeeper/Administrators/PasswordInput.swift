import PlacekeeperSystem
import PlacekeeperFiles
import PlacekeeperService

/// Reads a password, which must not be on the command line, where other users of the machine can see it.
enum PasswordInput {
    /// Returns the password from `--password-file`, or asks for it twice on a terminal.
    static func read(_ arguments: Arguments) throws(CommandFailure) -> String {
        if let path = arguments.value(of: .passwordFile) {
            return try text(try bytes(of: path, arguments))
        }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(.usage, "there is no terminal to ask for the password; give --password-file FILE")
        }
        let password = try ask("Password: ")
        guard try ask("Password again: ") == password else {
            throw CommandFailure(.failure, "the passwords differ; nothing was changed")
        }
        return try text(password)
    }

    private static func bytes(of path: String, _ arguments: Arguments) throws(CommandFailure) -> [UInt8] {
        let file: (bytes: [UInt8], status: stat)
        do throws(PathFault) {
            file = try RegularFile.read(path, limit: 4096)
        } catch {
            throw arguments.failure(over: .passwordFile, error.clause)
        }
        guard file.status.st_mode & 0o077 == 0 else {
            throw arguments.failure(over: .passwordFile, "other users may read it; set its mode with chmod 600")
        }
        return Array(file.bytes.prefix { $0 != 0x0A && $0 != 0x0D })
    }

    /// Asks on the terminal, without echoing the typed characters. The terminal's signals are off in the meantime,
    /// because a process that ends early would leave the terminal without echo.
    private static func ask(_ prompt: String) throws(CommandFailure) -> [UInt8] {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw unreadable(errno) }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else { throw unreadable(errno) }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            Output.report([0x0A])
        }
        Output.report(Array(prompt.utf8))
        var line: [UInt8] = []
        while line.count <= 4096 {
            var byte: UInt8 = 0
            let count = PlacekeeperSystem.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(errno) }
            if count == 0 || byte == 0x0A { break }
            // Control-C and Control-\ still end the command.
            guard byte != 0x03, byte != 0x1C else { throw CommandFailure(.failure, "nothing was changed") }
            line.append(byte)
        }
        return line
    }

    private static func text(_ bytes: [UInt8]) throws(CommandFailure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.usage, "the password is not UTF-8")
        }
        return text
    }

    private static func unreadable(_ code: Int32) -> CommandFailure {
        CommandFailure(.unavailable, "cannot read the terminal: \(String(cString: strerror(code)))")
    }
}
