import PlacekeeperAPI
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads) struct ExplainTests {
    @Test func printsTheServedArchiveAndTheReasonsAgainstOthers() throws {
        let service = try RunningService()
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        let sample = try ChildProcess(["sample", "--bundle-version", "42", "--state-version", "2"])
        sample.wait()
        let stored = try service.request(
            "PUT", "/v1/scenes/main/archives/0b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94", token: phone.token,
            body: sample.outputBytes)
        #expect(stored.status == 201)

        func explain(_ options: String...) throws -> ChildProcess.Outcome {
            try ChildProcess(
                ["explain", "com.example.photos", "--data", service.data.path, "--user", phone.user] + options
            ).outcome()
        }
        let full = try explain("--device", phone.device, "--bundle-version", "42")
        #expect(full.end == .exit(0))
        #expect(full.output.contains("full"))
        let place = try explain("--idiom", "pad", "--bundle-version", "42")
        #expect(place.end == .exit(0))
        #expect(place.output.contains("idiom-not-accepted (phone, asked pad)"))
        let older = try explain("--idiom", "phone", "--bundle-version", "41")
        #expect(older.end == .exit(0))
        #expect(older.output.contains("bundle-version-newer (42, asked 41)"))
        let refused = try explain("--idiom", "phone", "--bundle-version", "41", "--state-version", "1")
        #expect(refused.end == .exit(1))
        #expect(refused.output.contains("refused"))
        #expect(refused.output.contains("state-version-newer (2, asked 1)"))
        let outcome = try service.request(
            "POST", "/v1/scenes/main/archives/0b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94/outcomes", token: phone.token,
            json: """
                {"result": "failed", "idiom": "phone", "bundleVersion": "42", "path": "root/list", "step": 1,
                 "duration": 0.25}
                """)
        #expect(outcome.status == 204)
        let quarantined = try explain("--device", phone.device, "--bundle-version", "42")
        #expect(quarantined.output.contains("quarantined (failed, at root/list, step 1, after 0.25 s)"))
        #expect(try explain("--idiom", "glasses").end == .exit(2))
        #expect(try explain("--idiom", "pad", "--scene", "no scene").end == .exit(2))
    }

    @Test func printsTheServicesExplanationAsJSON() throws {
        let service = try RunningService()
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        let sample = try ChildProcess(["sample", "--without-place"])
        sample.wait()
        let path = "/v1/scenes/main/archives/"
        _ = try service.request(
            "PUT", path + "0b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94", token: phone.token, body: sample.outputBytes)
        for version in ["41", "42"] {
            let told = try ChildProcess.run(
                "explain", "com.example.photos", "--data", service.data.path, "--user", phone.user, "--bundle-version",
                version, "--json")
            #expect(told.end == .exit(version == "42" ? 0 : 1))
            let answered = try service.request(
                "GET", path + "latest/explanation?idiom=phone&bundleVersion=\(version)", token: phone.token)
            let decoder = JSONDecoder()
            let (here, there) = (
                try decoder.decode(Wire.Explanation.self, from: Data(told.output.utf8)),
                try decoder.decode(Wire.Explanation.self, from: Data(answered.text.utf8))
            )
            #expect(here == there)
            #expect(here.candidates.count == 1)
        }
    }

    @Test func answersForTheLastVersionOfADevice() throws {
        let service = try RunningService()
        let key = try service.createApp()
        let phone = try service.register(app: key, idiom: "phone")
        let code = try service.linkCode(token: phone.token)
        let other = try service.register(app: key, idiom: "phone", linkCode: code)
        let sample = try ChildProcess(["sample", "--bundle-version", "42", "--without-place"])
        sample.wait()
        _ = try service.request(
            "PUT", "/v1/scenes/main/archives/0b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94", token: phone.token,
            body: sample.outputBytes)
        func explain(_ device: RunningService.Device, _ options: String...) throws -> ChildProcess.Outcome {
            try ChildProcess(
                [
                    "explain", "com.example.photos", "--data", service.data.path, "--user", phone.user, "--device",
                    device.device,
                ] + options
            ).outcome()
        }
        let known = try explain(phone)
        #expect(known.end == .exit(0))
        #expect(known.output.hasPrefix("answered for --bundle-version 42"))
        #expect(known.output.contains("full"))
        #expect(known.error.isEmpty)
        #expect(try !explain(phone, "--bundle-version", "43").output.contains("answered for"))
        let unknown = try explain(other)
        #expect(unknown.end == .exit(1))
        #expect(unknown.output.contains("bundle-version-newer (42, asked none)"))
        #expect(unknown.error.contains("--bundle-version"))
    }

    @Test func requiresADeviceIfTheUserHasSeveral() throws {
        let service = try RunningService()
        let key = try service.createApp()
        let phone = try service.register(app: key, idiom: "phone")
        func explain(_ options: String...) throws -> ChildProcess.Outcome {
            try ChildProcess(["explain", "com.example.photos", "--data", service.data.path] + options).outcome()
        }
        let only = try explain("--user", phone.user)
        #expect(only.end == .exit(1))
        #expect(only.output == "no archive is stored for this scene\n")

        let code = try service.request("POST", "/v1/link-codes", token: phone.token).text.split(separator: "\"")[3]
        let body = "{\"app\": \"\(key)\", \"idiom\": \"pad\", \"name\": \"My pad\", \"linkCode\": \"\(code)\"}"
        #expect(try service.request("POST", "/v1/devices", json: body).status == 201)
        for (options, exit) in [([], Int32(2)), (["--device", phone.user], 1)] {
            let asked = try ChildProcess(
                ["explain", "com.example.photos", "--data", service.data.path, "--user", phone.user] + options)
            #expect(asked.wait() == .exit(exit))
            #expect(asked.standardOutput.isEmpty)
            #expect(asked.standardError.contains(phone.device))
            #expect(asked.standardError.contains("My pad"))
        }
        let unknown = try explain("--user", phone.device, "--idiom", "pad")
        #expect(unknown.end == .exit(1))
        #expect(unknown.error.contains("has no user \(phone.device)"))
        #expect(try explain().end == .exit(2))
        #expect(try explain("--user", "me").error.contains("--user is \"me\": give an id"))
        #expect(try explain("--user", phone.user, "--device", "it").end == .exit(2))
    }
}
