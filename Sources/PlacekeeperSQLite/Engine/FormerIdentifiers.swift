import PlacekeeperCore
import PlacekeeperMatching

/// 0.1.0 took canonically equivalent identifiers for one identifier. A registration that names an identifier outside
/// Unicode normalization form C may lack items, and its keys are those of other identifiers.
enum FormerIdentifiers {
    /// Detaches these registrations from their users, so the devices register their lists again. Deletes the decisions
    /// about such identifiers.
    static func drop(from connection: Connection) throws(StoreError) {
        for registry in try registries(in: connection).sorted() {
            try connection.execute(
                """
                UPDATE app_usage SET bytes = max(app_usage.bytes - registry.bytes, 0)
                FROM registry JOIN user ON user.id = registry.user
                WHERE registry.id = \(registry) AND app_usage.app = user.app;
                UPDATE user SET bytes = max(user.bytes - registry.bytes, 0)
                FROM registry WHERE registry.id = \(registry) AND user.id = registry.user;
                UPDATE registry SET user = NULL WHERE id = \(registry);
                """)
        }
        for link in try links(in: connection) {
            try connection.run(.deleteLink, link.user, link.dataSource, link.ends)
        }
    }

    private static func registries(in connection: Connection) throws(StoreError) -> Set<Int64> {
        let select = try connection.statement(.textsOfItems)
        var registries: Set<Int64> = []
        while try select.step() {
            if select.withBytes(1, isFormer) { registries.insert(try select.key(0)) }
        }
        return registries
    }

    private static func links(
        in connection: Connection
    ) throws(StoreError) -> [(user: Int64, dataSource: String, ends: LinkEnds)] {
        let select = try connection.statement(.textsOfLinks)
        var links: [(user: Int64, dataSource: String, ends: LinkEnds)] = []
        while try select.step() {
            guard select.withBytes(6, isFormer) || select.withBytes(7, isFormer) else { continue }
            let ends = LinkEnds(
                Link.End(device: try select.id(2), key: LookupKey(rawValue: try select.key(3)), texts: []),
                Link.End(device: try select.id(4), key: LookupKey(rawValue: try select.key(5)), texts: []))
            links.append((try select.key(0), select.text(1), ends))
        }
        return links
    }

    /// Returns whether the identifier in an item's texts, which 0.1.0 didn't encrypt, isn't in normalization form C.
    private static func isFormer(_ texts: UnsafeRawBufferPointer) -> Bool {
        guard texts.contains(where: { $0 >= 0x80 }), let identifier = try? ItemTexts.identifier(in: Array(texts)) else {
            return false
        }
        return identifier.withNormalizedUTF8 { !$0.elementsEqual(identifier.utf8) }
    }
}

extension Query {
    fileprivate static let textsOfItems = Query(
        "SELECT item.registry, item_text.texts FROM item CROSS JOIN item_text ON item_text.number = item.number")
    fileprivate static let textsOfLinks = Query(
        """
        SELECT user, data_source, first_device, first_key, second_device, second_key, first_texts, second_texts
        FROM link
        """)
}
