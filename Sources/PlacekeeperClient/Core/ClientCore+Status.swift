// The status that the app can see.
extension ClientCore {
    var status: Placekeeper.Status {
        var status = Placekeeper.Status()
        status.problem = problem
        switch account {
        case .unread: break
        case .none: status.account = .unregistered
        case .locked: status.account = .locked
        case .present(let credentials):
            status.account = .unregistered
            if let registration = credentials.registration {
                status.account = registration.isSignedIn ? .signedIn : .anonymous
            } else if credentials.needsSignIn {
                status.account = .signInNeeded
            } else if credentials.isSignedOut {
                status.account = .signedOut
            }
        }
        status.unsentCount = scenes.values.reduce(0) { $0 + $1.folder.captureCount }
        status.keptCount = keptCount
        status.expiredCount = expiredCount
        status.hasLostAccount = hasLostAccount
        status.wasCopied = wasCopied
        status.omissions = allOmissions
        status.hasAccountAtOtherAddress = settings.hasOtherAddress
        status.scenesWithoutInteractions = scenesWithoutInteractions.sorted()
        return status
    }
}
