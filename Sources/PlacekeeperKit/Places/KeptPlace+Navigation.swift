import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperModels

// The user's navigation takes precedence over the scene's state.
extension KeptPlace {
    /// Reports that the user navigated, by a link, a notification, a shortcut, or in the app. Call this method before
    /// the app goes to the place, or right after. A launch in progress then restores nothing, a restore in progress
    /// goes to no further screen, and the window's place is soon saved as the user's work.
    func noteNavigation() {
        // The previous account's screens are not a place of the next account.
        guard !needsFirstScreen else { return }
        bindToAccount()
        restoring?.isInterrupted = true
        forgetWaitingIfElsewhere()
        scene.noteInteraction(of: account.owner)
        setNeedsSave(isInteraction: true)
    }

    /// Goes to the place of an activity that the user continues in this window, such as a Handoff activity, and saves
    /// it. A launch or restore in progress doesn't replace it. If the place's first screen can't be reached, the window
    /// returns to its own place.
    /// - Returns: Whether the activity has a place, and at least its first screen was reached.
    @discardableResult
    func `continue`(_ activity: PlaceActivity) async -> Bool {
        guard isShowable(activity) else { return false }
        let (previous, owner) = (archiveToSave().archive, account.owner)
        let works = workCount
        noteNavigation()
        guard await show(activity) else {
            guard account.owner == owner else { return false }
            // A launch in progress restores the window's own state.
            if isLaunching {
                workCount = works
                return false
            }
            forgetNeededSave()
            _ = await perform(previous, .full, isSaved: true)
            return false
        }
        save(isInteraction: true)
        return true
    }

    /// Goes to the place of an activity, without saving it yet.
    func show(_ activity: PlaceActivity) async -> Bool {
        guard isShowable(activity), let archive = activity.archive?.ofAnotherDevice else { return false }
        // The activity comes from a device whose layout and policy are unknown.
        let place = await perform(archive, .place, isSaved: false).place
        return waiting != nil || place?.reached.isEmpty == false
    }

    /// Whether an activity has a place, and its state version isn't newer than this app's.
    private func isShowable(_ activity: PlaceActivity) -> Bool {
        guard let archive = activity.archive, archive.place != nil else { return false }
        guard let conflict = device.versionConflict(with: archive), conflict.blocksPlace else { return true }
        DeveloperLog.write(
            "The place of an activity is not shown: its state version \(conflict.archive) is newer than "
                + "\(conflict.required).")
        return false
    }
}
