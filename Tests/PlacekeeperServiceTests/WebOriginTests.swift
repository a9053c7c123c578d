import PlacekeeperCore
import PlacekeeperService
import Testing

@Suite struct WebOriginTests {
    @Test(arguments: [
        "https://reader.example", "http://localhost", "http://localhost:5173", "https://a-b.c1.example:8443",
        "http://127.0.0.1:8080", "http://[::1]", "https://[2001:db8::1]:65535", "https://xn--bcher-kva.example",
        "http://my_host:1", "capacitor://localhost", "ionic://localhost", "app+x.1://host:80",
    ])
    func acceptsAnOriginAsABrowserSendsIt(_ origin: String) { #expect(WebOrigin.isValid(origin)) }

    @Test(arguments: [
        "", "*", "null", "reader.example", "https://", "https://*.example", "https://reader.example/",
        "https://reader.example/app", "https://reader.example?", "https://reader.example#a", "HTTPS://reader.example",
        "https://Reader.example", "https://reader.example:", "https://reader.example:443", "http://reader.example:80",
        "https://reader.example:0", "https://reader.example:08", "https://reader.example:65536",
        "https://reader.example:+8", "https://a@reader.example", "https://reader..example", "https://.example",
        "https://bücher.example", "https://reader.example ", " https://reader.example", "https://[::1", "https://[]",
        "https://[::G]", "https://[::1]8", "ftp://reader.example", "file://a", "capacitor://", "capacitor:localhost",
        "1a://b", "Capacitor://localhost", "ws://a",
        "javascript:alert(1)", "https:/reader.example",
        "https://reader.example,https://b.example", "https://a\r\nb", "https://" + String(repeating: "a", count: 248),
    ])
    func refusesWhatNoBrowserSends(_ origin: String) { #expect(!WebOrigin.isValid(origin)) }

    @Test(arguments: [
        ("https://reader.example/", "An origin must end after its host: write https://reader.example."),
        ("reader.example/app", "An origin must end after its host: write https://reader.example."),
        ("localhost:5173", "An origin needs a scheme: write https://localhost:5173."),
        ("HTTPS://Reader.example", "An origin must be in lower case: write https://reader.example."),
        ("https://reader.example:443", "An origin must leave out the usual port: write https://reader.example."),
    ])
    func saysWhatIsWrongWithAnOriginAndWhatToWrite(_ origin: String, _ message: String) async throws {
        let fixture = try await ServiceFixture()
        var settings = fixture.app.settings
        settings.webOrigins = [origin]
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        }
        #expect(error?.message == message)
    }

    @Test func limitsTheOriginsOfAnApp() async throws {
        let fixture = try await ServiceFixture()
        var settings = fixture.app.settings
        settings.webOrigins = (1...32).map { "https://a\($0).example" }
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        settings.webOrigins.append("https://b.example")
        for origins in [settings.webOrigins, ["https://a.example", "https://b.example/"]] {
            settings.webOrigins = origins
            let error = await #expect(throws: ServiceError.self) {
                try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
            }
            #expect(error?.code == .settingsInvalid)
        }
    }
}
