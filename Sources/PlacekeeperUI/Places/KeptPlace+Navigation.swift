import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime

// The person's navigation takes precedence over the scene's state.
extension KeptPlace {
    /// Notes that the person navigated: by a link, a notification, a shortcut, or in the app. Call this method before the
    /// app goes to the place or at once after it. A launch that has not ended then restores nothing, a restore goes to no
    /// further screen, and the window's place is saved soon as the person's work.
    public func noteNavigation() {
        // The screens of the account before are no place of the next one.
        guard !needsFirstScreen else { return }
        bindToAccount()
        isInterrupted = isRestoring
        scene.noteInteraction(of: account.owner)
        setNeedsSave(isInteraction: true)
    }

    /// Goes to the place of an activity that the person continues in this window, such as the activity of Handoff, and
    /// saves it. A state that is being launched or restored does not go over it. If the place's first screen cannot be
    /// reached, the window goes back to its own place.
    /// - Returns: Whether the activity has a place, and at least its first screen was reached.
    @discardableResult
    public func `continue`(_ activity: PlaceActivity) async -> Bool {
        guard isShowable(activity) else { return false }
        let (previous, owner) = (archiveToSave(), account.owner)
        let works = workCount
        noteNavigation()
        guard await show(activity) else {
            guard account.owner == owner else { return false }
            // A launch that waits restores the window's own state.
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

    /// Goes to the place of an activity. The place is not saved yet.
    func show(_ activity: PlaceActivity) async -> Bool {
        guard isShowable(activity), let archive = activity.archive else { return false }
        // The activity comes from a device whose layout and policy are unknown.
        let place = await perform(archive, .place, isSaved: false).place
        return waiting != nil || place?.reached.isEmpty == false
    }

    /// Whether an activity has a place, and no newer state version than this app's.
    private func isShowable(_ activity: PlaceActivity) -> Bool {
        guard let archive = activity.archive, archive.place != nil else { return false }
        guard let conflict = device.versionConflict(with: archive), conflict.blocksPlace else { return true }
        DeveloperLog.write(
            "The place of an activity is not shown: its state version \(conflict.archive) is newer than "
                + "\(conflict.required).")
        return false
    }
}
