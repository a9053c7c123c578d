import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService

extension Route {
    /// The table of routes.
    static let all = devices + archives + lists + feeds + operations + administration + apps + users

    private static let devices = [
        Route(
            .post, "/v1/devices", "registerDevice", .anyone { try await $0.registerDevice($1) }, isTimed: true),
        Route(.get, "/v1/devices", "listDevices", .device { try await $0.listDevices($1, $2) }),
        Route(.get, "/v1/devices/self", "readOwnDevice", .device { try $0.readOwnDevice($1, $2) }),
        Route(.patch, "/v1/devices/self", "describeOwnDevice", .device { try await $0.describeOwnDevice($1, $2) }),
        Route(.delete, "/v1/devices/self", "revokeOwnDevice", .device { try await $0.revoke($2.device.id, $2) }),
        Route(.post, "/v1/devices/self/link", "linkOwnDevice", .device { try await $0.linkOwnDevice($1, $2) }),
        Route(.post, "/v1/devices/self/sign-in", "signIn", .device { try await $0.signIn($1, $2) }),
        Route(.post, "/v1/devices/self/sign-out", "signOut", .device { try await $0.signOut($1, $2) }),
        Route(.post, "/v1/devices/self/token", "replaceToken", .device { try await $0.replaceToken($1, $2) }),
        Route(.delete, "/v1/devices/{device}", "revokeDevice", .device { try await $0.revokeDevice($1, $2) }),
        Route(.post, "/v1/link-codes", "createLinkCode", .device { try await $0.createLinkCode($1, $2) }),
        Route(.delete, "/v1/users/self", "eraseUser", .device { try await $0.eraseUser($2) }),
        Route(.get, "/v1/export", "exportUser", .device { try await $0.exportUser($1, $2) }),
    ]

    private static let scene = "/v1/scenes/{scene}"
    private static let archive = scene + "/archives/{archive}"

    private static let archives = [
        Route(.delete, scene, "forgetScene", .device { try await $0.forgetScene($1, $2) }),
        Route(.get, scene + "/archives", "listArchives", .device { try await $0.listArchives($1, $2) }),
        Route(
            .put, archive, "storeArchive", .device { try await $0.storeArchive($1, $2) },
            body: BodyLimit(bytes: Limits.archive, code: .archiveTooLarge), isTimed: true),
        Route(.get, archive, "readArchive", .device { try await $0.readArchive($1, $2) }),
        Route(.delete, archive, "deleteArchive", .device { try await $0.deleteArchive($1, $2) }),
        Route(
            .get, scene + "/archives/latest", "readLatest", .token { try await $0.readLatest($1, $2) },
            readiness: Readiness {
                $0.mayKnowLatest($1, $2)
            } response: {
                $0.knownLatest($1, $2)
            }, isTimed: true),
        Route(
            .get, scene + "/archives/latest/explanation", "explainLatest",
            .device { try await $0.explainLatest($1, $2) }),
        Route(.get, archive + "/restorable", "readRestorable", .device { try await $0.readRestorable($1, $2) }),
        Route(
            .post, archive + "/outcomes", "reportOutcome", .device { try await $0.reportOutcome($1, $2) },
            isTimed: true),
        Route(.post, archive + "/head", "makeHead", .device { try await $0.makeHead($1, $2) }),
        Route(
            .put, archive + "/screenshot", "storeScreenshot", .device { try await $0.storeScreenshot($1, $2) },
            body: BodyLimit(bytes: Limits.screenshot, code: .screenshotTooLarge)),
        Route(.get, archive + "/screenshot", "readScreenshot", .device { try await $0.readScreenshot($1, $2) }),
    ]

    private static let list = "/v1/data-sources/{name}"
    private static let itemsBody = BodyLimit(bytes: Limits.itemsBody)

    private static let lists = [
        Route(.get, "/v1/data-sources", "listDataSources", .device { try $0.listDataSources($1, $2) }),
        Route(.put, list, "declareDataSource", .device { try await $0.declareDataSource($1, $2) }),
        Route(.get, list, "readDataSource", .device { try await $0.readDataSource($1, $2) }),
        Route(
            .patch, list + "/items", "changeItems", .device { try await $0.changeItems($1, $2) }, body: itemsBody,
            isTimed: true),
        Route(.get, list + "/items", "listItems", .device { try await $0.listItems($1, $2) }),
        // The request has a body, but only reads.
        Route(
            .post, list + "/resolve", "resolveIdentifiers", .device { try await $0.resolveIdentifiers($1, $2) },
            body: itemsBody, writes: false),
    ]

    private static let feeds = [
        Route(.get, "/v1/places", "listPlaces", .device { try await $0.listPlaces($1, $2) }),
        Route(.get, "/v1/manifest", "readManifest", .device { try await $0.readManifest($1, $2) }),
        Route(.get, "/v1/changes", "listChanges", .device { try await $0.listChanges($1, $2) }),
        Route(.get, "/v1/events", "streamEvents", .device { try $0.streamEvents($1, $2) }),
    ]

    private static let operations = [
        Route(.get, "/v1/limits", "readLimits", .anyone { try await $0.readLimits($1) }),
        Route(.get, "/livez", "readLiveness", .ready { _ in Server.text("ok\n") }),
        Route(.get, "/readyz", "readReadiness", .anyone { server, _ in try await server.readReadiness() }),
        Route(.get, "/metrics", "readMetrics", .anyone { server, _ in try server.readMetrics() }),
        Route(.get, "/version", "readVersion", .anyone { try $0.readVersion($1) }),
        Route(.get, "/openapi.yaml", "readDescription", .anyone { try $0.readDescription($1) }),
    ]

    private static let administration = [
        Route(.get, "/admin/api/status", "readAdminStatus", .anyone { try await $0.readAdminStatus($1) }),
        Route(.post, "/admin/api/set-up", "setUp", .anyone { try await $0.setUp($1) }),
        Route(.post, "/admin/api/session", "logIn", .anyone { try await $0.logIn($1) }),
        Route(.get, "/admin/api/session", "readSession", .role(.viewer) { try $0.readSession($1, $2) }),
        Route(.delete, "/admin/api/session", "logOut", .role(.viewer) { try await $0.logOut($1, $2) }),
        Route(
            .put, "/admin/api/session/password", "changePassword",
            .role(.viewer) { try await $0.changePassword($1, $2) }),
        Route(
            .put, "/admin/api/session/second-factor", "addSecondFactor",
            .role(.viewer) { try await $0.addSecondFactor($1, $2) }),
        Route(
            .post, "/admin/api/session/second-factor/removal", "removeSecondFactor",
            .role(.viewer) { try await $0.removeSecondFactor($1, $2) }),
        Route(.get, "/admin/api/sessions", "listSessions", .role(.viewer) { try await $0.listSessions($1, $2) }),
        Route(
            .delete, "/admin/api/sessions/{session}", "endSession",
            .role(.viewer) { try await $0.endSession($1, $2) }),
        Route(.post, "/admin/api/invitation", "acceptInvitation", .anyone { try await $0.acceptInvitation($1) }),
        Route(
            .get, "/admin/api/administrators", "listAdministrators",
            .role(.owner) { server, context, _ in try await server.listAdministrators(context) }),
        Route(
            .post, "/admin/api/administrators", "createAdministrator",
            .role(.owner) { try await $0.createAdministrator($1, $2) }),
        Route(
            .patch, "/admin/api/administrators/{administrator}", "changeAdministrator",
            .role(.owner) { try await $0.changeAdministrator($1, $2) }),
        Route(
            .delete, "/admin/api/administrators/{administrator}", "removeAdministrator",
            .role(.owner) { try await $0.removeAdministrator($1, $2) }),
        Route(
            .post, "/admin/api/administrators/{administrator}/invitation", "inviteAdministrator",
            .role(.owner) { try await $0.inviteAdministrator($1, $2) }),
        Route(
            .get, "/admin/api/tokens", "listAPITokens",
            .role(.owner) { server, context, _ in try await server.listAPITokens(context) }),
        Route(.post, "/admin/api/tokens", "createAPIToken", .role(.owner) { try await $0.createAPIToken($1, $2) }),
        Route(
            .delete, "/admin/api/tokens/{token}", "revokeAPIToken",
            .role(.owner) { try await $0.revokeAPIToken($1, $2) }),
        Route(
            .get, "/admin/api/audit", "listServiceAudit",
            .role(.owner) { server, context, _ in try await server.listAuditEntries(context, of: nil) }),
        Route(
            .get, "/admin/api/about", "readAbout",
            .role(.viewer) { server, context, _ in try await server.readAbout(context) }),
    ]

    private static let app = "/admin/api/apps/{app}"

    private static let apps = [
        Route(
            .get, "/admin/api/apps", "listApps",
            .role(.viewer) { server, context, _ in try await server.listApps(context) }),
        Route(.post, "/admin/api/apps", "createApp", .role(.owner) { try await $0.createApp($1, $2) }),
        Route(.get, app, "readApp", .app(.viewer) { try await $0.readApp($1, $2) }),
        Route(.delete, app, "deleteApp", .app(.owner) { try await $0.deleteApp($1, $2) }),
        Route(
            .patch, app + "/settings", "changeAppSettings", .app(.owner) { try await $0.changeAppSettings($1, $2) }),
        Route(
            .put, app + "/stopped-restores", "replaceStoppedRestores",
            .app(.operator) { try await $0.replaceStoppedRestores($1, $2) }),
        Route(.get, app + "/overview", "readOverview", .app(.viewer) { try await $0.readOverview($1, $2) }),
        Route(.get, app + "/health", "readHealth", .app(.viewer) { try await $0.readHealth($1, $2) }),
        Route(.get, app + "/failures", "listFailures", .app(.viewer) { try await $0.listFailures($1, $2) }),
        Route(
            .get, app + "/failures/groups", "listFailureGroups",
            .app(.viewer) { try await $0.listFailureGroups($1, $2) }),
        Route(.post, app + "/dry-runs", "trySettings", .app(.operator) { try await $0.trySettings($1, $2) }),
        Route(
            .get, app + "/audit", "listAuditEntries",
            .app(.viewer) { try await $0.listAuditEntries($1, of: $2.app.id) }),
        Route(.get, app + "/users", "listUsers", .app(.viewer) { try await $0.listUsers($1, $2) }),
        Route(.get, app + "/find", "findInApp", .app(.viewer) { try await $0.find($1, $2) }),
        Route(
            .get, app + "/events", "streamAppEvents", .app(.viewer) { try await $0.streamAppEvents($1, $2) },
            isUse: false),
    ]

    private static let user = app + "/users/{user}"
    private static let usersArchive = user + "/scenes/{scene}/archives/{archive}"
    private static let usersList = user + "/data-sources/{name}"

    private static let users = [
        Route(.get, user, "readUser", .user(.viewer) { try await $0.readUser($1, $2) }),
        Route(.delete, user, "eraseUsersData", .user(.owner) { try await $0.eraseUsersData($2) }),
        Route(.get, user + "/export", "exportUsersData", .user(.operator) { try await $0.exportUsersData($1, $2) }),
        Route(
            .delete, user + "/devices/{device}", "revokeUsersDevice",
            .user(.operator) { try await $0.revokeUsersDevice($1, $2) }),
        Route(
            .get, user + "/scenes/{scene}/archives", "listTimeline",
            .user(.viewer) { try await $0.listTimeline($1, $2) }),
        Route(.get, usersArchive, "inspectArchive", .user(.viewer) { try await $0.inspectArchive($1, $2) }),
        Route(
            .delete, usersArchive, "deleteUsersArchive",
            .user(.operator) { try await $0.deleteUsersArchive($1, $2) }),
        Route(
            .get, usersArchive + "/content", "downloadArchive",
            .user(.operator) { try await $0.downloadArchive($1, $2) }),
        Route(
            .get, usersArchive + "/screenshot", "viewScreenshot",
            .user(.operator) { try await $0.viewScreenshot($1, $2) }),
        Route(
            .get, usersArchive + "/diff", "compareArchives", .user(.viewer) { try await $0.compareArchives($1, $2) }),
        Route(.post, usersArchive + "/head", "makeUsersHead", .user(.operator) { try await $0.makeUsersHead($1, $2) }),
        Route(
            .post, usersArchive + "/undelete", "undeleteArchive",
            .user(.operator) { try await $0.undeleteArchive($1, $2) }),
        Route(
            .get, user + "/scenes/{scene}/deleted-archives", "listDeletedArchives",
            .user(.viewer) { try await $0.listDeletedArchives($1, $2) }),
        Route(
            .get, user + "/scenes/{scene}/explanation", "explainScene",
            .user(.viewer) { try await $0.explainScene($1, $2) }),
        Route(.get, user + "/answers", "listAnswers", .user(.viewer) { try await $0.listAnswers($1, $2) }),
        Route(
            .get, user + "/data-sources", "listUsersDataSources",
            .user(.viewer) { try await $0.listUsersDataSources($1, $2) }),
        Route(.get, usersList + "/items", "listUsersItems", .user(.viewer) { try await $0.listUsersItems($1, $2) }),
        Route(
            .get, usersList + "/items/{identifier}", "explainItem",
            .user(.viewer) { try await $0.explainItem($1, $2) }),
        Route(
            .get, usersList + "/ambiguous-aliases", "listAmbiguousAliases",
            .user(.viewer) { try await $0.listAmbiguousAliases($1, $2) }),
        Route(
            .get, usersList + "/decisions", "listDecisions", .user(.operator) { try await $0.listDecisions($1, $2) }),
        Route(
            .post, usersList + "/decisions", "decideItems", .user(.operator) { try await $0.decideItems($1, $2) }),
        Route(
            .delete, usersList + "/decisions", "removeItemDecision",
            .user(.operator) { try await $0.removeItemDecision($1, $2) }),
    ]
}
