import PlacekeeperAPI
import PlacekeeperService

extension Route {
    /// The least role that a request of the admin API needs. Nil for the routes that need no credential. A route that is
    /// not listed needs the greatest role.
    var leastRole: Role? {
        switch self {
        case .readAdminStatus, .setUp, .logIn: nil
        case .readSession, .logOut, .changePassword, .listApps: .viewer
        case .readApp, .readOverview, .listAuditEntries, .listUsers, .findInApp, .readUser, .listTimeline,
            .inspectArchive, .compareArchives, .explainScene, .listUsersDataSources, .listUsersItems,
            .explainItem, .readAbout, .streamAppEvents, .listDeletedArchives, .readHealth,
            .listAnswers, .listAmbiguousAliases:
            .viewer
        case .downloadArchive, .viewSnapshot, .deleteUsersArchive, .makeUsersHead, .listDecisions, .decideItems,
            .undecideItems, .undeleteArchive, .trySettings:
            .operator
        default: .owner
        }
    }
}
