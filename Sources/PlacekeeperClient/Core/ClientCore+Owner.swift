// The person to whom the content of the app's memory belongs.
extension ClientCore {
    static var accountChanged: PlacekeeperError {
        PlacekeeperError(.accountChanged, "The account changed, so what was in memory is not used for the new account.")
    }

    /// Returns whether the content of an app's memory belongs to the present person.
    /// - Parameters:
    ///   - owner: The number of the content's owner. Nil if the app does not tell it: the content is then from the last
    ///     launch of the scene, or from the first person if the scene was not launched in this process.
    ///   - scene: The scene.
    func isPresent(_ owner: Int?, in scene: String) -> Bool {
        (owner ?? sceneOwners[scene, default: 0]) == self.owner
    }

    /// Notes that an app's content of a scene belongs to the present person from now on.
    func begin(_ scene: String) {
        readAccount()
        sceneOwners[scene] = owner
    }

    /// Whether the app's lists belong to the present person: after a change of the person, a scene was launched.
    var listsArePresent: Bool { owner == 0 || sceneOwners.values.contains(owner) }

    /// Begins with another person. What the person before asked for ends with an error.
    func changeOwner(
        isErased: Bool = false, failing error: PlacekeeperError = ClientCore.accountChanged
    ) throws(FileError) {
        noteOtherOwner(isErased: isErased, failing: error)
        for (name, scene) in scenes {
            if scene.offer != nil { offers.append((name, nil)) }
            // This process lives, so the next launch must not take the restore for crashed.
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

    /// Counts a change of the person. A launch that waits begins again for the next person, and so does a sign-in.
    func noteOtherOwner(isErased: Bool = false, failing error: PlacekeeperError) {
        owner += 1
        saveFailures = [:]
        for id in inFlight.keys { inFlight[id]?.callID = nil }
        for call in waiting {
            switch call.call {
            // The app has the result, which belongs to the person before.
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
    /// The scene that has the present person's content after a result. Nil if the result gives none.
    func begins(with result: ClientCore.CallResult) -> String? {
        switch (self, result) {
        case (.launch(let scene, _), .launched): scene
        case (.take(_, let scene, _), .served): scene
        default: nil
        }
    }
}

extension ClientCore.CallResult {
    /// The result with the number of the person for whom it was decided.
    func belonging(to owner: Int) -> ClientCore.CallResult {
        guard case .launched(var launch) = self else { return self }
        launch.owner = owner
        return .launched(launch)
    }
}
