import PlacekeeperModels

// Deleting a scene on this device and on the service.
extension ClientCore {
    /// Asks the service to delete a scene. A state in flight arrives before this request, and no other state is sent
    /// until the response. So the service deletes what was saved before, and keeps what is saved later.
    func startForgetting(_ call: Waiting, _ scene: String, at now: ClockReading) {
        let callID = call.callID
        guard Self.isSceneName(scene) else { return finish(callID, .failed(Self.sceneNameInvalid)) }
        // If the device has joined another account in the meantime, that account keeps its scene.
        guard call.generation == nil || call.generation == credentials?.generation else {
            return finish(callID, .failed(Self.accountChanged))
        }
        do throws(FileError) {
            try open(scene)
            guard let state = scenes[scene], !state.isSending else {
                let generation = credentials?.generation
                return update(callID) { $0.generation = generation }
            }
            state.isSending = true
            let operation = Operation.Kind.forget(scene: scene, before: state.folder.nextSequence(at: now))
            send(request("DELETE", "/v1/scenes/\(scene)"), operation, callID: callID)
        } catch {
            note(error)
            finish(callID, .failed(failure(of: error)))
        }
    }

    func receiveForgotten(
        _ answer: Answer, _ operation: Operation, _ scene: String, before sequence: Int64, at now: ClockReading
    ) {
        guard operation.device == registration?.device, let state = scenes[scene] else {
            if case .problem(let problem) = answer, problem.isUnauthorized {
                return finish(operation.callID, .failed(PlacekeeperError(problem)))
            }
            return finish(operation.callID, .failed(Self.accountChanged))
        }
        state.isSending = false
        switch answer {
        case .success(let response) where response.status == 204:
            do throws(FileError) {
                try state.folder.forget(before: sequence, at: now)
                withdrawOffer(of: scene)
                saveFailures[scene] = nil
                let new = SceneState(folder: state.folder)
                new.heldSave = state.heldSave
                scenes[scene] = new
                try open(scene)
                // There is now room for another scene.
                for other in scenes.values where other.noRoom != nil { (other.noRoom, other.dueAt) = (nil, now.uptime) }
                finish(operation.callID, .done)
            } catch {
                note(error)
                finish(operation.callID, .failed(failure(of: error)))
            }
        case .success: fail(operation, Self.unreadable, at: now)
        case .problem(let problem):
            fail(operation, PlacekeeperError(problem), at: now, isTemporary: problem.isTemporary)
        case .failure(let error): fail(operation, error, at: now)
        }
    }
}
