import PlacekeeperRuntime

// Forgetting a scene, on this device and on the service.
extension ClientCore {
    /// Asks the service to forget a scene. Waits for a request with a state of the scene that is on its way, and no other
    /// is sent meanwhile. So what was saved before is forgotten, and what is saved from now on is not.
    func startForgetting(_ ticket: Ticket, _ scene: String, at now: Moment) {
        guard Self.isSceneName(scene) else { return finish(ticket, .failed(Self.sceneNameInvalid)) }
        do throws(FileError) {
            try open(scene)
            guard let state = scenes[scene], !state.isSending else { return }
            state.isSending = true
            let operation = Operation.Kind.forget(scene: scene, before: state.folder.nextSequence(at: now))
            send(request("DELETE", "/v1/scenes/\(scene)"), operation, ticket: ticket)
        } catch {
            note(error)
            finish(ticket, .failed(PlacekeeperError(.storageFailed, "A file of the client cannot be read.")))
        }
    }

    func receiveForgotten(
        _ answer: Answer, _ operation: Operation, _ scene: String, before sequence: Int64, at now: Moment
    ) {
        guard operation.device == registration?.device, let state = scenes[scene] else {
            return finish(
                operation.ticket, .failed(PlacekeeperError(.accountChanged, "The account changed meanwhile.")))
        }
        state.isSending = false
        switch answer {
        case .success(let response) where response.status == 204:
            do throws(FileError) {
                try state.folder.forget(before: sequence, at: now)
                withdrawOffer(of: scene)
                saveFailures[scene] = nil
                scenes[scene] = SceneState(folder: state.folder)
                try open(scene)
                finish(operation.ticket, .done)
            } catch {
                note(error)
                finish(operation.ticket, .failed(PlacekeeperError(.storageFailed, "A file cannot be removed.")))
            }
        case .success: fail(operation, Self.unreadable, at: now)
        case .problem(let problem):
            fail(operation, PlacekeeperError(problem), at: now, isTemporary: problem.isTemporary)
        case .failure(let error): fail(operation, error, at: now)
        }
    }
}
