package import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    package func links(in list: ItemList) async throws(StoreError) -> [Link] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.links)
            select.bind(list)
            var links: [Link] = []
            while try select.step() { links.append(try select.link()) }
            return links
        }
    }
}

extension Transaction {
    func put(_ link: Link, in list: ItemList, of user: Int64) throws(StoreError) {
        let insert = try connection.statement(.putLink)
        insert.bind(user, at: 1)
        insert.bind(list.dataSource, at: 2)
        insert.bind(LinkEnds(link.first, link.second), at: 3)
        insert.bind(link.kind.rawValue, at: 7)
        insert.bind(link.note, at: 8)
        insert.bind(link.decidedAt, at: 9)
        insert.bind(link.first.texts, at: 10)
        insert.bind(link.second.texts, at: 11)
        try insert.run()
    }

    func drop(_ ends: LinkEnds, in list: ItemList, of user: Int64) throws(StoreError) {
        let delete = try connection.statement(.deleteLink)
        delete.bind(user, at: 1)
        delete.bind(list.dataSource, at: 2)
        delete.bind(ends, at: 3)
        try delete.run()
    }

    /// Deletes the decisions about a device's items.
    func dropLinks(of device: DeviceID, by user: Int64) throws(StoreError) {
        let delete = try connection.statement(.deleteLinksOfDevice)
        delete.bind(user, at: 1)
        delete.bind(device, at: 2)
        try delete.run()
    }
}

extension Statement {
    /// Binds four parameters.
    fileprivate func bind(_ ends: LinkEnds, at index: Int32) {
        bind(ends.first.device, at: index)
        bind(ends.first.key.rawValue, at: index + 1)
        bind(ends.second.device, at: index + 2)
        bind(ends.second.key.rawValue, at: index + 3)
    }

    fileprivate func link() throws(StoreError) -> Link {
        guard let kind = Link.Kind(rawValue: text(4)) else { throw .corrupt("A decision has an unknown kind.") }
        return Link(
            Link.End(device: try id(0), key: LookupKey(rawValue: try key(1)), texts: bytes(7)),
            Link.End(device: try id(2), key: LookupKey(rawValue: try key(3)), texts: bytes(8)),
            kind, note: text(5), at: try time(6))
    }
}

extension Query {
    fileprivate static let links = Query(
        """
        SELECT first_device, first_key, second_device, second_key, kind, note, at, first_texts, second_texts
        FROM user CROSS JOIN link ON link.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND data_source = ?3
        ORDER BY at, first_device, first_key, second_device, second_key
        """)
    fileprivate static let putLink = Query(
        """
        INSERT OR REPLACE INTO link (
            user, data_source, first_device, first_key, second_device, second_key, kind, note, at, first_texts,
            second_texts)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        """)
    fileprivate static let deleteLinksOfDevice = Query(
        "DELETE FROM link WHERE user = ?1 AND (first_device = ?2 OR second_device = ?2)")
    fileprivate static let deleteLink = Query(
        """
        DELETE FROM link
        WHERE user = ?1 AND data_source = ?2 AND first_device = ?3 AND first_key = ?4 AND second_device = ?5
            AND second_key = ?6
        """)
}
