package import PlacekeeperService

extension SQLiteStore {
    package func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(effects: { .write(to: list.owner, $0) }) { transaction throws(StoreError) in
            let user = try transaction.knownUser(list.owner)
            try transaction.dropLink(link.first, link.second, of: list, user.id)
            let count = try transaction.connection.statement(.linkCount)
            count.bind(user.id, at: 1)
            count.bind(list.dataSource, at: 2)
            guard try count.step(), try count.key(0) < Int64(Limits.links) else { return false }
            count.reset()
            let insert = try transaction.connection.statement(.insertLink)
            insert.bind(user.id, at: 1)
            insert.bind(list.dataSource, at: 2)
            insert.bind(link.first.device, at: 3)
            insert.bind(link.first.key.rawValue, at: 4)
            insert.bind(link.second.device, at: 5)
            insert.bind(link.second.key.rawValue, at: 6)
            insert.bind(link.kind.rawValue, at: 7)
            insert.bind(link.note, at: 8)
            insert.bind(link.decidedAt, at: 9)
            insert.bind(link.first.texts, at: 10)
            insert.bind(link.second.texts, at: 11)
            try insert.run()
            try transaction.note(link.decidedAt, for: list.owner)
            return true
        }
    }

    package func undecide(
        _ first: Link.End, _ second: Link.End, in list: ItemList
    ) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(effects: { .write(to: list.owner, $0) }) { transaction throws(StoreError) in
            guard let user = try transaction.connection.user(list.owner) else { return false }
            let one = try transaction.dropLink(first, second, of: list, user.id)
            let other = try transaction.dropLink(second, first, of: list, user.id)
            return one || other
        }
    }

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
    /// Deletes the decisions about a device's items.
    func dropLinks(of device: DeviceID, by user: UserRow) throws(StoreError) {
        let delete = try connection.statement(.deleteLinksOfDevice)
        delete.bind(user.id, at: 1)
        delete.bind(device, at: 2)
        try delete.run()
    }

    @discardableResult
    fileprivate func dropLink(
        _ first: Link.End, _ second: Link.End, of list: ItemList, _ user: Int64
    ) throws(StoreError) -> Bool {
        let delete = try connection.statement(.deleteLink)
        delete.bind(user, at: 1)
        delete.bind(list.dataSource, at: 2)
        delete.bind(first.device, at: 3)
        delete.bind(first.key.rawValue, at: 4)
        delete.bind(second.device, at: 5)
        delete.bind(second.key.rawValue, at: 6)
        try delete.run()
        return connection.changedRows > 0
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

extension Query {
    fileprivate static let links = Query(
        """
        SELECT first_device, first_key, second_device, second_key, kind, note, at, first_texts, second_texts
        FROM user CROSS JOIN link ON link.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND data_source = ?3
        ORDER BY at, first_device, first_key, second_device, second_key
        """)
    fileprivate static let linkCount = Query("SELECT count(*) FROM link WHERE user = ?1 AND data_source = ?2")
    fileprivate static let insertLink = Query(
        """
        INSERT INTO link (
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
