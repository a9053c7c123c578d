// The user to whom the content in the app's memory belongs.
extension ClientCore {
    static var accountChanged: PlacekeeperError {
        PlacekeeperError(.accountChanged, "The account changed, so what was in memory is not used for the new account.")
    }

    /// Returns whether content in the app's memory belongs to the current user.
    /// - Parameters:
    ///   - owner: The number of the content's owner. If `nil`, the content is from the last launch of the scene, or
    ///     from the first user if this process has not launched the scene.
    ///   - scene: The scene.
    func isPresent(_ owner: Int?, in scene: String) -> Bool {
        (owner ?? sceneOwners[scene, default: 0]) == self.owner
    }

    /// Records that, from now on, the app's content of a scene belongs to the current user.
    func begin(_ scene: String) {
        readAccount()
        sceneOwners[scene] = owner
    }

    /// Whether the app's lists belong to the current user. After a change of the user, false until a scene is launched.
    var listsArePresent: Bool { owner == 0 || sceneOwners.values.contains(owner) }

    /// Switches to another user. Calls of the previous user end with an error.
    func changeOwner(
        isErased: Bool = false, failing error: PlacekeeperError = ClientCore.accountChanged
    ) throws(FileError) {
        noteOtherOwner(isErased: isErased, failing: error)
        for (name, scene) in scenes {
            if scene.offered != nil { offers.append((name, nil)) }
            // This process is alive, so the next launch must not count the restore as a crash.
            if scene.restored != nil { try? scene.folder.endRestore() }
        }
        scenes = [:]
        hasPurged = false
        forgetLists()
        try adopt()
        if registration == nil { try countKept() }
        try loadScenes()
        for scene in followedScenes { try open(scene) }
    }

    /// Counts a change of the user. Waiting launches and sign-ins start over for the next user.
    func noteOtherOwner(isErased: Bool = false, failing error: PlacekeeperError) {
        owner += 1
        saveFailures = [:]
        for id in inFlight.keys { inFlight[id]?.callID = nil }
        for call in waiting {
            switch call.call {
            // The app already has the result, which belongs to the previous user.
            case .launch where call.isAnswered: finish(call.callID, .done)
            case .launch:
                update(call.callID) {
                    $0 = Waiting(callID: call.callID, call: call.call, deadline: call.deadline)
                }
            case .signIn, .link: break
            case .signOut: finish(call.callID, .done)
            case .erase where isErased: finish(call.callID, .done)
            default: finish(call.callID, .failed(error))
            }
        }
    }
}

extension ClientCore.Call {
    /// The scene whose content belongs to the current user after this result, if any.
    func begins(with result: ClientCore.CallResult) -> String? {
        switch (self, result) {
        case (.launch(let scene, _), .launched): scene
        case (.take(_, let scene, _), .served): scene
        default: nil
        }
    }
}

extension ClientCore.CallResult {
    /// The result, marked with the number of the user for whom it was decided.
    func belonging(to owner: Int) -> ClientCore.CallResult {
        guard case .launched(var launch) = self else { return self }
        launch.owner = owner
        return .launched(launch)
    }
}
