#if canImport(UIKit) && !os(watchOS)
    public import PlacekeeperClient
    import UIKit

    extension Placekeeper {
        /// Sends everything that waits, in a background task of the app. Returns at once. A state that is not sent when the
        /// system's time is over stays on the client's queue.
        ///
        /// The handler of the task ends the task, as
        /// <https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(expirationhandler:)> requires.
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
                // The system gives about 30 seconds.
                _ = try? await self.flush(deadline: .seconds(25))
            }
        }
    }
#endif
