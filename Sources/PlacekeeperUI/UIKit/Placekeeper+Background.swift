#if canImport(UIKit) && !os(watchOS)
    public import PlacekeeperClient
    import UIKit

    extension Placekeeper {
        /// Sends everything that waits, in a background task of the app. Returns at once. A state that is not sent stays on
        /// the client's queue.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        @MainActor
        public func flushInBackground() {
            runDelayedSaves()
            // The system gives about 30 seconds.
            let work = Task { try await flush(deadline: .seconds(25)) }
            let id = UIApplication.shared.beginBackgroundTask { work.cancel() }
            Task {
                _ = await work.result
                UIApplication.shared.endBackgroundTask(id)
            }
        }
    }
#endif
