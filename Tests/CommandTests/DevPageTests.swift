import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSockets
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct DevPageTests {
    static let app = App(
        id: AppID(high: 1, low: 1), bundleIdentifier: "com.example.demo", publishableKey: "pk_key",
        createdAt: Timestamp(milliseconds: 0))

    static func page(_ host: String, isColored: Bool = false) -> DevPage {
        DevPage(app, at: SocketAddress(host: host, port: 8080), isColored: isColored)
    }

    static func event(linkCode: String? = nil) -> DevEvent {
        DevEvent(kind: "deviceRegistered", at: "", text: "iPad registered", linkCode: linkCode)
    }

    @Test func printsTheLinesOfTheReadmeWithAddressAndKey() throws {
        let file = #filePath.replacing("Tests/CommandTests/DevPageTests.swift", with: "README.md")
        let readme = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        let lines = DevPage.snippet(url: "http://127.0.0.1:8080", key: "pk_key").split(separator: "\n")
            .map { $0.trimmingPrefix { $0 == " " } }
        #expect(lines.count == 4)
        for line in lines where !line.contains("pk_key") { #expect(readme.contains(line), "\(line)") }
        #expect(
            Self.page("127.0.0.1").text.contains(
                "    let placekeeper = Placekeeper(URL(string: \"http://127.0.0.1:8080\")!, key: \"pk_key\")\n"))
    }

    @Test func opensTheDemoWithTheKey() throws {
        let text = Self.page("127.0.0.1").text
        let demo = try #require(text.firstRange(of: "http://127.0.0.1:8080/demo/#key=pk_key\n"))
        #expect(demo.lowerBound < (try #require(text.firstRange(of: "Placekeeper runs at"))).lowerBound)
        let url = "http://192.168.1.20:8080"
        let page = DevPage(Self.app, at: SocketAddress(host: "0.0.0.0", port: 80), url: url, isColored: false)
        let address = "\(url)/demo/?device=phone#key=pk_key"
        #expect(page.text.contains(try #require(QRCode(Array(address.utf8))).text))
    }

    @Test func showsCodesOnlyWhenPhonesReachTheService() {
        #expect(!Self.page("127.0.0.1").text.contains("█"))
        #expect(
            !Self.page("127.0.0.1").line(of: Self.event(linkCode: "7K3M9QXA"), DevEventText(text: "")).contains("█"))
        let open = Self.page("0.0.0.0")
        #expect(open.text.contains("█"))
        #expect(!open.text.contains("0.0.0.0"))
        #expect(!open.line(of: Self.event(), DevEventText(text: "iPad registered")).contains("█"))
        let line = open.line(of: Self.event(linkCode: "7K3M9QXA"), DevEventText(text: "iPad registered"))
        #expect(line.hasPrefix("iPad registered. A second device joins this user with the link code 7K3M9QXA,"))
        #expect(line.contains(QRCode(Array("7K3M9QXA".utf8))?.text ?? "none"))
    }

    @Test(arguments: [("http://localhost:8080", false), ("https://[::1]", false), ("http://192.168.1.20:8080", true)])
    func printsTheGivenURLAndCodesIfPhonesReachIt(url: String, isReached: Bool) {
        let page = DevPage(Self.app, at: SocketAddress(host: "0.0.0.0", port: 80), url: url, isColored: false)
        #expect(page.text.contains("Placekeeper(URL(string: \"\(url)\")!, key: \"pk_key\")"))
        #expect(page.report(at: Timestamp(milliseconds: 0))["url"] == url)
        #expect(page.text.contains("█") == isReached)
        #expect(!page.text.contains("Other addresses"))
    }

    @Test func colorsOnlyForATerminal() {
        let words = DevEventText(text: "iPad restored Lisbon", tone: .good)
        #expect(Self.page("0.0.0.0").line(of: Self.event(), words) == "iPad restored Lisbon")
        #expect(!Self.page("0.0.0.0").text.contains("\u{1B}"))
        let page = Self.page("0.0.0.0", isColored: true)
        #expect(page.line(of: Self.event(), words) == "\u{1B}[32miPad restored Lisbon\u{1B}[0m")
        #expect(page.text.contains("\u{1B}[40m\u{1B}[97m█"))
    }
}
