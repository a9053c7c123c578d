// Screenshots, which other devices show with an offer.
extension ClientCore {
    func sendSnapshot(_ name: FileName, _ folder: SceneFolder, of scene: String) throws(FileError) -> Bool {
        guard !snapshotsAreOff, let bytes = try folder.snapshot(name), let type = Self.type(of: bytes) else {
            try folder.remove(name)
            return false
        }
        send(
            request(
                "PUT", "\(archives(of: scene))/\(name.archive)/screenshot", fields: [.init("Content-Type", type)],
                body: bytes),
            .snapshot(scene: scene, name))
        return true
    }

    func receiveSnapshot(
        _ answer: Answer, _ operation: Operation, _ scene: String, _ name: FileName, at now: ClockReading
    ) {
        guard operation.device == registration?.device, let folder = scenes[scene]?.folder else { return }
        scenes[scene]?.isSending = false
        do throws(FileError) {
            switch answer {
            case .success(let response) where response.status == 204: try folder.remove(name)
            case .success: fail(operation, Self.unreadable, at: now)
            case .problem(let problem) where problem.isUnauthorized: break
            case .problem(let problem) where problem.isTemporary: fail(operation, PlacekeeperError(problem), at: now)
            case .problem(let problem):
                // The place is offered without its screenshot.
                if problem.code == ProblemCode.screenshotsOff.rawValue { snapshotsAreOff = true }
                try folder.remove(name)
            case .failure(let error): fail(operation, error, at: now)
            }
        } catch {
            note(error)
        }
    }

    /// The media type of a screenshot. `nil` if it is neither PNG nor JPEG, or too large.
    static func type(of snapshot: [UInt8]) -> String? {
        guard snapshot.count <= SceneFolder.snapshotLimit else { return nil }
        if snapshot.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return snapshot.starts(with: [0xFF, 0xD8, 0xFF]) ? "image/jpeg" : nil
    }

    func readSnapshot(of place: Placekeeper.Place, _ callID: CallID) {
        guard Self.isUUID(place.archive), Self.isSceneName(place.scene) else {
            return finish(
                callID, .failed(PlacekeeperError(.sceneNameInvalid, "The place's id or scene name is not valid.")))
        }
        var request = request("GET", "\(archives(of: place.scene))/\(place.archive)/screenshot")
        request.responseLimit = SceneFolder.snapshotLimit
        send(request, .readSnapshot, callID: callID)
    }

    func receiveSnapshot(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        switch answer {
        case .success(let response) where operation.generation == credentials?.generation:
            guard Self.type(of: response.body) != nil else {
                return fail(operation, Self.unreadable, at: now, isTemporary: false)
            }
            finish(operation.callID, .snapshot(response.body))
        case .success: fail(operation, Self.unreadable, at: now, isTemporary: false)
        case .problem(let problem):
            fail(operation, PlacekeeperError(problem), at: now, isTemporary: problem.isTemporary)
        case .failure(let error): fail(operation, error, at: now)
        }
    }
}
