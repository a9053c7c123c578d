import PlacekeeperAPI
package import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// Receives a log line: a JSON object without a line feed.
package typealias LogSink = @Sendable (String) -> Void

/// A log line: one JSON object. String values are escaped, so they can't close their quotation marks or end the line.
package struct LogLine {
    private var text = "{"

    package init() {}

    /// Begins a line of the log with a time and a level.
    package init(_ level: String, at time: Timestamp) {
        add("time", Time(milliseconds: time.milliseconds).description)
        add("level", level)
    }

    package mutating func add(_ name: StaticString, _ value: String) {
        begin(name)
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    package mutating func add(_ name: StaticString, _ value: some BinaryInteger) {
        begin(name)
        text += String(value)
    }

    private mutating func begin(_ name: StaticString) {
        if text.utf8.count > 1 { text += "," }
        text += "\"\(name)\":"
    }

    package var whole: String { text + "}" }
}

extension Server {
    /// Logs an internal error. The line contains neither path nor query, because they may contain personal data.
    func logFailure(_ problem: Problem, _ request: Request, _ id: RequestID, _ label: Label) {
        var line = line("error", request, id, label)
        line.add("status", problem.status.rawValue)
        line.add("code", problem.document.code)
        if let cause = problem.cause { line.add("cause", cause) }
        log(line.whole)
    }

    func logAccess(
        _ status: Status, _ request: Request, _ id: RequestID, _ label: Label, after duration: Duration
    ) {
        var line = line("info", request, id, label)
        line.add("status", status.rawValue)
        let (seconds, attoseconds) = duration.components
        line.add("microseconds", seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        line.add("client", client(of: request).text)
        log(line.whole)
    }

    private func line(_ level: String, _ request: Request, _ id: RequestID, _ label: Label) -> LogLine {
        var line = LogLine(level, at: service.clock.now())
        line.add("request", id.text)
        line.add("method", request.head.method.token.description)
        line.add("route", label.text)
        return line
    }
}
