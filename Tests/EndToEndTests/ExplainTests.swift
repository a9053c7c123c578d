import FoundationEssentials
import Testing

@Suite struct ExplainTests {
    @Test func tellsWhatADeviceWouldGetAndWhyNot() throws {
        let service = try RunningService()
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        let sample = try ChildProcess(["sample", "--bundle-version", "42"])
        sample.wait()
        let stored = try service.request(
            "PUT", "/v1/scenes/main/archives/0b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94", token: phone.token,
            body: sample.outputBytes)
        #expect(stored.status == 201)

        func explain(_ options: String...) throws -> (end: ChildProcess.End, output: String, error: String) {
            let process = try ChildProcess(
                ["explain", "com.example.photos", "--data", service.data.path, "--user", phone.user] + options)
            return (process.wait(), process.standardOutput, process.standardError)
        }
        let full = try explain("--device", phone.device, "--bundle-version", "42")
        #expect(full.end == .exit(0))
        #expect(full.output.contains("full"))
        let place = try explain("--idiom", "pad", "--bundle-version", "42")
        #expect(place.end == .exit(0))
        #expect(place.output.contains("idiom-not-accepted (phone, asked pad)"))
        let refused = try explain("--idiom", "phone", "--bundle-version", "41")
        #expect(refused.end == .exit(1))
        #expect(refused.output.contains("refused"))
        #expect(refused.output.contains("bundle-version-newer (42, asked 41)"))
        let json = try explain("--idiom", "phone", "--bundle-version", "41", "--json")
        #expect(json.output.contains("\"bundle-version-newer\""))
        #expect(try explain("--device", phone.user).end == .exit(1))
        #expect(try explain().end == .exit(2))
        #expect(try explain("--idiom", "watch").end == .exit(2))
    }
}
