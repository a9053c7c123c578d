import PlacekeeperClient

// The account to which the window's content belongs.
extension KeptPlace {
    /// Notes that the account possibly changed. If another person uses the app now, the window's content is forgotten, and
    /// the window launches again. If the same person signed in or linked the device, the window launches again if it
    /// shows nothing yet.
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

    /// Whether the launch restored nothing, and the person has done nothing since.
    private var isUntouched: Bool { isFresh && workCount == 0 }

    /// Forgets what belongs to the account before. Nothing is saved until the window was launched again.
    private func forgetContent() {
        forgetNeededSave()
        (isSaving, hasLaunched, isFresh, isInterrupted, workCount) = (false, false, false, isRestoring, 0)
        (content, placeKeys, waiting, saved) = (Content(), [], nil, nil)
        forgetInput()
        note([])
        advertiser?.update()
        needsFirstScreen = true
        restoreCount += 1
        didRestore?()
    }

    /// Goes to the first screen after the account changed. A restore that was under way has possibly shown a further screen.
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
