import PlacekeeperSystem
import Testing

/// Tests of commands that write to the database of a running service.
@Suite(.onOwnThreads) struct AppsBesideTheServiceTests {
    @Test func sendsAChangedSettingToFollowersWithoutARestart() throws {
        let service = try RunningService()
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        try service.change("restoration=off", toldTo: phone)
        let manifest = try service.request("GET", "/v1/manifest", token: phone.token)
        #expect(manifest.text.contains("\"restoration\":\"off\""))
    }

    @Test func createsAnAppCompletelyOrNotAtAllIfTheCommandIsKilled() throws {
        let service = try RunningService()
        let key = try service.createApp()
        for number in 0..<8 {
            let id = "com.example.app\(number)"
            let process = try ChildProcess(["app", "create", id, "--data", service.data.path])
            // Each process is killed later than the process before it: while it starts, while it writes, or when it is
            // done.
            for _ in 0..<number { #expect(try service.request("GET", "/readyz").status == 200) }
            process.send(SIGKILL)
            process.wait()
            // A process that is killed inside a transaction leaves no data and no lock, so the service can still write.
            _ = try service.register(app: key, idiom: "phone")
            let again = try ChildProcess.run("app", "create", id, "--data", service.data.path, "--json")
            let isThere = again.end == .exit(1) && again.error.contains("app list")
            #expect(again.end == .exit(0) || isThere, "\(again.error)")
            let settings = try ChildProcess.run("app", "policy", id, "--data", service.data.path)
            #expect(settings.end == .exit(0))
        }
        #expect(try TestDatabase.findings(in: service.data.path) == [])
    }
}
