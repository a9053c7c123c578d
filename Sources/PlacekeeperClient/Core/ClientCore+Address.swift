// A service that moved to another address.
extension ClientCore {
    /// Asks the service at a new address whether it knows this device. Nothing else is sent before the response.
    /// - Returns: True, because other requests must wait.
    func confirmAddress(at now: ClockReading) -> Bool {
        guard !settings.isExtension else {
            failWaiting(
                PlacekeeperError(.busy, "The app must check the new address of the service first. Try again later."),
                at: now)
            return true
        }
        if !backoff.allowsIntents(at: now) { failWaiting(busy(at: now), at: now) }
        guard inFlight.isEmpty, waiting.isEmpty ? backoff.allowsWork(at: now) : backoff.allowsIntents(at: now)
        else { return true }
        send(request("GET", "/v1/devices/self"), .confirm)
        return true
    }

    /// Switches to the new address if the service there knows this device. Any other response changes nothing, because
    /// the operator may not have moved the data yet, or the address may be wrong.
    func receiveConfirmation(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        switch answer {
        case .success(let response):
            guard let device: Wire.Device = decode(response), device.user == registration?.user else {
                return fail(operation, Self.unreadable, at: now)
            }
            do throws(FileError) { try noteConfirmation() } catch { note(error) }
        case .problem(let problem) where problem.isTemporary: fail(operation, PlacekeeperError(problem), at: now)
        case .problem:
            let message = "The service at the new address does not know this device. Nothing was sent or removed."
            fail(operation, PlacekeeperError(.deviceUnknown, message), at: now)
        case .failure(let error): fail(operation, error, at: now)
        }
    }

    /// Uses the new address from now on.
    func noteConfirmation() throws(FileError) {
        try files.remove(ClientFolder.mark)
        isMoved = false
    }
}
