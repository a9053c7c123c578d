import Testing

@testable import placekeeper

@Suite struct NearestTests {
    static let names = ["data", "listen", "trusted-proxies", "database-password-file", "log", "all"]

    @Test(arguments: [
        ("dta", "data"), ("data", "data"), ("DATA", "data"), ("-data", "data"), ("--dtaa", "data"), ("lisen", "listen"),
        ("lsiten", "listen"), ("TRUSTED_PROXIES", "trusted-proxies"), ("trusted_proxys", "trusted-proxies"),
        ("al", "all"), ("trus", "trusted-proxies"), ("database-pass", "database-password-file"),
    ])
    func findsTheNameThatWasMeant(word: String, name: String) {
        #expect(nearest(to: word, among: Self.names) == name)
    }

    @Test(arguments: ["", "x", "days", "tag", "da", "nothing", "listener-x", "dat" + String(repeating: "a", count: 64)])
    func findsNothingForAWordThatIsNotSimilar(word: String) {
        #expect(nearest(to: word, among: ["data", "date", "listen", "log"]) == nil)
    }

    @Test func prefersTheMostSimilarName() {
        #expect(nearest(to: "app-lis", among: ["app-like", "app-list"]) == "app-list")
    }

    @Test func takesOnlyTheSameBytesForTheSame() {
        #expect(isSame("caf\u{E9}", "caf\u{E9}") && !isSame("caf\u{E9}", "cafe\u{301}"))
    }
}
