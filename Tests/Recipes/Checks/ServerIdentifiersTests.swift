import PlacekeeperKit
import Testing

@MainActor
struct ServerIdentifiersTests {
    @Test func opensTheArticleThatIsNotOnTheFirstPageOfThePad() async throws {
        let devices = try await TwoDevices()
        try await devices.open(article("41"), of: articles("40", "41"), on: devices.phone)
        // The first row of the pad is another article.
        let pad = articles("90") { $0 == "41" ? self.article("41") : nil }
        #expect(await devices.shown(of: pad, on: devices.pad) == "41")
        #expect(pad.placeItems[article("41").reference]?.title == "Article 41")
    }

    @Test func opensNoOtherArticleIfTheServerHasItNoLonger() async throws {
        let devices = try await TwoDevices()
        try await devices.open(article("41"), of: articles("41"), on: devices.phone)
        #expect(await devices.shown(of: articles("90"), on: devices.pad) == nil)
    }

    private func article(_ id: String) -> Article { Article(id: id, title: "Article \(id)") }

    private func articles(
        _ firstPage: String..., request: @escaping (String) async -> Article? = { _ in nil }
    ) -> Articles {
        let articles = Articles(request: request)
        articles.placeItems = firstPage.map(article)
        return articles
    }
}
