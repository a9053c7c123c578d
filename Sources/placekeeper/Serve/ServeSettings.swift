extension Option {
    static let listen = Option(
        "listen", "ADDRESS", help: "host and port; port 0 lets the system choose", initial: "127.0.0.1:8080",
        isSetting: true)
    static let publicFiles = Option(
        "public", "DIR", help: "serve the files of this directory, such as the status page", isSetting: true)
    static let bench = Option("bench", help: "answer GET /hello, for load tests", isSetting: true)
    static let log = Option(
        "log", "WHAT", help: "requests to log on standard error: all or errors", initial: "errors",
        isSetting: true)
}

extension Arguments {
    func listenAddress() throws(CommandFailure) -> Address {
        let text = value(of: .listen) ?? ""
        guard let address = Address(text) else {
            throw CommandFailure(
                flags[Option.listen.name] == nil ? .configuration : .usage,
                "\(quoted(text)) is no address to listen on; write it like 127.0.0.1:8080 or [::1]:8080")
        }
        return address
    }

    /// Whether every request is logged, not only what the service itself got wrong.
    func logsAccess() throws(CommandFailure) -> Bool {
        switch value(of: .log) {
        case "all": return true
        case "errors": return false
        case let other:
            throw CommandFailure(
                flags[Option.log.name] == nil ? .configuration : .usage,
                "\(quoted(other ?? "")) is nothing to log; set log to all or errors")
        }
    }
}
