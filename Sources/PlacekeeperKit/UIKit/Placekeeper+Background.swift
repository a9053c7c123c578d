#if canImport(UIKit) && !os(watchOS)
    public import PlacekeeperClient
    import UIKit

    extension Placekeeper {
        /// Sends everything that is pending, in a background task of the app. Returns immediately. States that aren't
        /// sent in time remain on the client's queue.
        ///
        /// The task's handler ends the task, as required by
        /// <https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(expirationhandler:)>.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        @MainActor
        public func flushInBackground() {
            runDelayedSaves()
            let app = UIApplication.shared
            BackgroundTask { handler -> UIBackgroundTaskIdentifier? in
                let id = app.beginBackgroundTask(expirationHandler: handler)
                return id == .invalid ? nil : id
            } end: {
                app.endBackgroundTask($0)
            } work: {
                // The system grants about 30 seconds.
                _ = try? await self.flush(deadline: .seconds(25))
            }
        }
    }
#endif
