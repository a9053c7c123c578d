package import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    package func links(in list: ItemList) async throws(StoreError) -> [Link] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.links, list)
            var links: [Link] = []
            while try select.step() { links.append(try select.link()) }
            return links
        }
    }
}

extension Transaction {
    func put(_ link: Link, in list: ItemList, of user: Int64) throws(StoreError) {
        try connection.run(
            .putLink, user, list.dataSource, LinkEnds(link.first, link.second), link.kind.rawValue, link.note,
            link.decidedAt, link.first.texts, link.second.texts)
    }

    func drop(_ ends: LinkEnds, in list: ItemList, of user: Int64) throws(StoreError) {
        try connection.run(.deleteLink, user, list.dataSource, ends)
    }

    /// Deletes the decisions about a device's items.
    func dropLinks(of device: DeviceID, by user: Int64) throws(StoreError) {
        try connection.run(.deleteLinksOfDevice, user, device)
    }
}

extension Statement {
    fileprivate func link() throws(StoreError) -> Link {
        guard let kind = Link.Kind(rawValue: text(4)) else { throw .corrupt("A decision has an unknown kind.") }
        return Link(
            Link.End(device: try id(0), key: LookupKey(rawValue: try key(1)), texts: bytes(7)),
            Link.End(device: try id(2), key: LookupKey(rawValue: try key(3)), texts: bytes(8)),
            kind, note: text(5), at: try time(6))
    }
}

extension LinkEnds: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        first.device.bind(to: statement, at: &index)
        first.key.rawValue.bind(to: statement, at: &index)
        second.device.bind(to: statement, at: &index)
        second.key.rawValue.bind(to: statement, at: &index)
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
    static let deleteLink = Query(
        """
        DELETE FROM link
        WHERE user = ?1 AND data_source = ?2 AND first_device = ?3 AND first_key = ?4 AND second_device = ?5
            AND second_key = ?6
        """)
}
