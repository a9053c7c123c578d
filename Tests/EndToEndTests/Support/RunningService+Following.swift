extension RunningService {
    /// Changes a setting with the command, and waits until a following device gets the event. When this function
    /// returns, the service also applies all earlier changes that commands made.
    func change(_ setting: String, of app: String = "com.example.photos", toldTo follower: Device) throws {
        let events = try connect()
        let head =
            "GET /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(follower.token)\r\nAccept: text/event-stream\r\n\r\n"
        try events.send(Array(head.utf8))
        guard try events.head().first?.contains("200") == true else {
            throw ChildProcess.Failure(description: "the event stream was refused")
        }
        let set = try ChildProcess.run("app", "policy", app, "--data", data.path, "--set", setting)
        guard set.end == .exit(0) else { throw ChildProcess.Failure(description: "app policy: \(set.error)") }
        var told = ""
        while !told.contains("event: settingsChanged\n") {
            guard let chunk = try events.chunk() else {
                throw ChildProcess.Failure(description: "the stream ended with \(told)")
            }
            told += String(decoding: chunk, as: UTF8.self)
        }
    }
}
