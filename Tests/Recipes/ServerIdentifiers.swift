import PlacekeeperRuntime

// recipe: server identifiers
/// The articles of a server, by the server's identifiers. No device registers them.
@MainActor
final class ArticleList: ModelAssociation {
    let dataSourceName = "articles"
    private(set) var articles: [String: Article]
    /// Requests one article from the server. Returns nil if it is gone.
    private let request: (String) async -> Article?

    init(_ firstPage: [Article] = [], request: @escaping (String) async -> Article?) {
        articles = Dictionary(firstPage.map { ($0.id, $0) }) { _, last in last }
        self.request = request
    }

    /// The articles have no aliases, so the list is not read.
    let listElements: [ListElement] = []

    func containsElement(withModelIdentifier identifier: String) -> Bool { articles[identifier] != nil }

    /// Loads an article that is not on the pages that were loaded.
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        guard let article = await request(identifier) else { return false }
        articles[identifier] = article
        return true
    }
}
// end of recipe

struct Article: Sendable {
    var id: String
    var title: String
}
