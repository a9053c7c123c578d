/// The two items of an operator's decision.
package struct LinkEnds: Sendable, Hashable {
    package var first: Link.End
    package var second: Link.End

    package init(_ first: Link.End, _ second: Link.End) {
        self.first = first
        self.second = second
    }
}

// The rules for operators' decisions about items. `RuleStore` documents what each promises.
extension Workspace {
    package mutating func decide(_ link: Link, in list: ItemList) throws(Interruption) -> Bool {
        try require([.user(list.owner), .links(list)])
        let user = try known(list.owner)
        guard user.exists else { throw .userGone }
        let ends = LinkEnds(link.first, link.second)
        let others = (user.links[list.dataSource] ?? []).subtracting([ends])
        guard others.count < Limits.links else { return false }
        touch(user, at: link.decidedAt)
        note(.putLink(link, in: list, of: user))
        invalidations = .write(to: list.owner)
        return true
    }

    package mutating func removeDecision(_ first: Link.End, _ second: Link.End, in list: ItemList) throws(Interruption)
        -> Bool
    {
        try require([.user(list.owner), .links(list)])
        let user = try known(list.owner)
        let links = user.links[list.dataSource] ?? []
        guard let ends = [LinkEnds(first, second), LinkEnds(second, first)].first(where: links.contains) else {
            return false
        }
        touch(user)
        note(.dropLink(ends, in: list, of: user))
        invalidations = .write(to: list.owner)
        return true
    }
}
