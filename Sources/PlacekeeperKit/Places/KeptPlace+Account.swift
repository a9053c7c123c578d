import PlacekeeperClient

// The account that the window's content belongs to.
extension KeptPlace {
    /// Handles a possible change of the account. If another user now uses the app, the window drops its content and
    /// launches again. If the same user signed in or linked the device, the window launches again only if it shows
    /// nothing yet.
    func noteAccount() {
        let (earlier, present) = (account, scene.account)
        guard present != earlier else { return }
        account = present
        if present.owner != earlier.owner {
            forgetContent()
        } else if !isLaunching, !isUntouched {
            return
        }
        needsLaunch = launching != nil
        guard !isLaunching else { return }
        if needsLaunch { _ = startLaunch() } else { Task { await showFirstScreen() } }
    }

    /// Binds the window to the current account, or handles a change of the account.
    func observeAccount() {
        bindToAccount()
        noteAccount()
    }

    /// Binds the window to the current account, once: at its first content or its launch.
    func bindToAccount() {
        guard !isObserving else { return }
        isObserving = true
        scene.observeAccount { [weak self] in
            self?.noteAccount()
            return self != nil
        }
        account = scene.account
    }

    /// Whether the launch restored nothing and the user has done nothing since.
    private var isUntouched: Bool { (launched == .fresh || launched == .locked) && workCount == 0 }

    /// Drops what belongs to the previous account. Nothing is saved until the window has launched again.
    private func forgetContent() {
        forgetNeededSave()
        (launched, workCount) = (.never, 0)
        restoring?.isInterrupted = true
        (content, placeKeys, waiting, saved) = (Content(), [], nil, nil)
        forgetInput()
        note([])
        advertiser?.update()
        needsFirstScreen = true
        restoreCount += 1
        didRestore?()
    }

    /// Goes to the first screen after the account changed. A restore in progress may have shown another screen.
    func showFirstScreen() async {
        await waitForRestore()
        guard needsFirstScreen else { return }
        await navigator?.goToFirstScreen()
        (content, placeKeys, waiting, workCount) = (Content(), [], nil, 0)
        needsFirstScreen = false
        restoreCount += 1
        didRestore?()
    }
}
