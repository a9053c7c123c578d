package import PlacekeeperCore
import PlacekeeperMatching

/// An overview of a user's data, for an operator.
package struct UserSummary: Sendable {
    package struct Registration: Sendable, Hashable {
        package var dataSource: String
        package var device: DeviceID
        /// The number of live items.
        package var itemCount: Int
    }

    package var user: UserID
    /// Nil if the user is anonymous.
    package var subject: Subject?
    /// Nil if the user was created by a version that didn't record the time.
    package var createdAt: Timestamp?
    package var devices: [Device]
    /// The scenes that have archives, that were forgotten, or whose archives can be undeleted.
    package var scenes: [SceneFacts]
    /// The name of the last listed scene, if more follow.
    package var nextScene: String?
    package var registrations: [Registration]
}

extension Exports {
    /// Returns an overview of a user's data, or nil if there is no such user.
    ///
    /// - Parameters:
    ///   - scene: the name of the scene after which the list starts. Nil starts with the first scene.
    ///   - limit: the maximum number of scenes.
    package func summary(
        of owner: UserKey, behind scene: String? = nil, limit: Int = .max
    ) async throws(ServiceError) -> UserSummary? {
        guard let facts = try await service.ask({ store async throws(StoreError) in try await store.facts(of: owner) })
        else {
            return nil
        }
        let subject = try await service.accounts.subject(of: owner)
        let now = clock.now()
        return try await service.ask { store async throws(StoreError) in
            var summary = UserSummary(
                user: owner.user, subject: subject,
                createdAt: facts.createdAt.milliseconds == 0 ? nil : facts.createdAt,
                devices: try await store.devices(of: owner), scenes: [], registrations: [])
            var last = scene
            scenes: while true {
                let page = try await store.scenes(of: owner, after: last, limit: Limits.page)
                for scene in page {
                    if scene.archiveCount == 0, scene.forgotten == nil {
                        // An administrator may have deleted all of the scene's archives and may still undo it.
                        let key = SceneKey(owner: owner, name: scene.name)
                        guard try await !store.deletedArchives(in: key, at: now).isEmpty else { continue }
                    }
                    if summary.scenes.count == limit {
                        summary.nextScene = summary.scenes.last?.name
                        break scenes
                    }
                    summary.scenes.append(scene)
                }
                guard page.count == Limits.page, let end = page.last else { break }
                last = end.name
            }
            last = nil
            while let name = try await store.dataSources(of: owner, after: last, limit: 1).first {
                let list = ItemList(owner: owner, dataSource: name)
                summary.registrations += try await store.registries(of: list).map { registry in
                    UserSummary.Registration(
                        dataSource: name, device: registry.device, itemCount: registry.state.count)
                }
                last = name
            }
            return summary
        }
    }
}
