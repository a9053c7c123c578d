// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

extension UIScene { public var double: UISceneDouble { UISceneDouble(scene: self) } }

/// What the system does with a scene. Each step tells the delegate, and then posts the notification.
@MainActor public struct UISceneDouble {
    let scene: UIScene

    /// Connects the scene: the delegate builds its window. The application keeps the delegate until the scene
    /// disconnects.
    public func connect(_ delegate: any UISceneDelegate, _ options: UIScene.ConnectionOptions = .init()) {
        let app = UIApplication.shared
        scene.delegate = delegate
        app.sceneDelegates[ObjectIdentifier(scene)] = delegate
        app.connected.insert(scene)
        delegate.scene(scene, willConnectTo: scene.session, options: options)
        post(UIScene.willConnectNotification)
        if (scene as? UIWindowScene)?.waitsForForeground != true { restoreInteractionState() }
    }

    private func restoreInteractionState() {
        guard let activity = scene.session.stateRestorationActivity else { return }
        scene.delegate?.scene(scene, restoreInteractionStateWith: activity)
    }

    /// Brings the scene to the foreground, and makes it active.
    public func activate() {
        if [.unattached, .background].contains(scene.activationState) { enterForeground() }
        guard scene.activationState == .foregroundInactive else { return }
        scene.activationState = .foregroundActive
        scene.delegate?.sceneDidBecomeActive(scene)
        post(UIScene.didActivateNotification)
    }

    /// Makes the scene inactive, as a call or the app switcher does.
    public func deactivate() {
        guard scene.activationState == .foregroundActive else { return }
        scene.delegate?.sceneWillResignActive(scene)
        post(UIScene.willDeactivateNotification)
        scene.activationState = .foregroundInactive
    }

    public func enterForeground() {
        scene.delegate?.sceneWillEnterForeground(scene)
        post(UIScene.willEnterForegroundNotification)
        let waited = (scene as? UIWindowScene)?.waitsForForeground == true
        scene.activationState = .foregroundInactive
        for window in (scene as? UIWindowScene)?.windows ?? [] { window.updateAppearance() }
        if waited { restoreInteractionState() }
    }

    /// Sends the scene to the background. Afterward the session keeps the delegate's restoration activity.
    public func enterBackground() {
        deactivate()
        guard scene.activationState != .background else { return }
        scene.activationState = .background
        scene.delegate?.sceneDidEnterBackground(scene)
        post(UIScene.didEnterBackgroundNotification)
        scene.session.stateRestorationActivity = scene.delegate?.stateRestorationActivity(for: scene)
    }

    /// Disconnects the scene, as the system does with one that was in the background for long.
    public func disconnect() {
        let app = UIApplication.shared
        scene.delegate?.sceneDidDisconnect(scene)
        post(UIScene.didDisconnectNotification)
        scene.activationState = .unattached
        for window in (scene as? UIWindowScene)?.windows ?? [] { window.isHidden = true }
        app.connected.remove(scene)
        app.sceneDelegates[ObjectIdentifier(scene)] = nil
    }

    /// Hands an activity of Handoff, a universal link or a search result to the delegate.
    public func `continue`(_ activity: NSUserActivity) { scene.delegate?.scene(scene, continue: activity) }

    public func open(_ urls: [URL]) {
        scene.delegate?.scene(scene, openURLContexts: Set(urls.map { UIOpenURLContext($0) }))
    }

    /// Changes the width of a window scene, as Split View and rotation do. Split views collapse and expand.
    public func setHorizontalSizeClass(_ sizeClass: UIUserInterfaceSizeClass) {
        guard let scene = scene as? UIWindowScene else { return }
        let old = scene.traitCollection
        scene.traits = UITraitCollection(idiom: old.userInterfaceIdiom, horizontal: sizeClass)
        for window in scene.windows {
            window.traitCollectionDidChange(old)
            for owner in window.owners(appearing: false) {
                (owner as? UISplitViewController)?.setCollapsed(sizeClass == .compact)
                owner.traitCollectionDidChange(old)
            }
        }
    }

    private func post(_ name: NSNotification.Name) { NotificationCenter.default.post(name: name, object: scene) }
}
