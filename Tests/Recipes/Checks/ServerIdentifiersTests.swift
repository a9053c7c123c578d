import Testing

@MainActor
struct ServerIdentifiersTests {
    @Test func opensTheArticleThatIsNotOnTheFirstPageOfThePad() async throws {
        let devices = try await TwoDevices()
        let phone = ArticleList([article("40"), article("41")]) { _ in nil }
        _ = try await devices.open("41", of: phone, on: devices.phone)
        // The first row of the pad is another article.
        let pad = ArticleList([article("90")]) { $0 == "41" ? article("41") : nil }
        #expect(await devices.shown(of: pad, on: devices.pad) == "41")
        #expect(pad.articles["41"]?.title == "Article 41")
    }

    @Test func opensNoOtherArticleIfTheServerHasItNoLonger() async throws {
        let devices = try await TwoDevices()
        let phone = ArticleList([article("41")]) { _ in nil }
        _ = try await devices.open("41", of: phone, on: devices.phone)
        let pad = ArticleList([article("90")]) { _ in nil }
        #expect(await devices.shown(of: pad, on: devices.pad) == nil)
    }

    private func article(_ id: String) -> Article { Article(id: id, title: "Article \(id)") }
}
