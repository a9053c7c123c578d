#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import UIKit

    /// Calls methods that are optional in UIKit's protocols. The double of UIKit in the tests has defaults instead,
    /// because optional requirements need Objective-C.
    @MainActor
    enum OptionalMethods {
        // https://developer.apple.com/documentation/uikit/uistaterestoring
        #if canImport(ObjectiveC)
            static func restorationParent(of object: any UIStateRestoring) -> (any UIStateRestoring)? {
                object.restorationParent ?? nil
            }
            static func restorationClass(of object: any UIStateRestoring) -> (any UIObjectRestoration.Type)? {
                object.objectRestorationClass ?? nil
            }
            static func encode(_ object: any UIStateRestoring, with coder: NSCoder) {
                object.encodeRestorableState?(with: coder)
            }
            static func decode(_ object: any UIStateRestoring, with coder: NSCoder) {
                object.decodeRestorableState?(with: coder)
            }
            static func finish(_ object: any UIStateRestoring) { object.applicationFinishedRestoringState?() }
        #else
            static func restorationParent(of object: any UIStateRestoring) -> (any UIStateRestoring)? {
                object.restorationParent
            }
            static func restorationClass(of object: any UIStateRestoring) -> (any UIObjectRestoration.Type)? {
                object.objectRestorationClass
            }
            static func encode(_ object: any UIStateRestoring, with coder: NSCoder) {
                object.encodeRestorableState(with: coder)
            }
            static func decode(_ object: any UIStateRestoring, with coder: NSCoder) {
                object.decodeRestorableState(with: coder)
            }
            static func finish(_ object: any UIStateRestoring) { object.applicationFinishedRestoringState() }
        #endif
    }

    /// The app delegate's methods of state restoration.
    /// https://developer.apple.com/documentation/uikit/uiapplicationdelegate
    @MainActor
    struct AppDelegateMethods {
        let application: UIApplication
        let delegate: any UIApplicationDelegate

        #if canImport(ObjectiveC)
            // Deprecated, so that the calls of deprecated methods cause no warnings.
            private struct Deprecated: InsecureMethods {
                @available(*, deprecated)
                func shouldSave(_ methods: AppDelegateMethods, _ coder: NSCoder) -> Bool? {
                    methods.delegate.application?(methods.application, shouldSaveApplicationState: coder)
                }
                @available(*, deprecated)
                func shouldRestore(_ methods: AppDelegateMethods, _ coder: NSCoder) -> Bool? {
                    methods.delegate.application?(methods.application, shouldRestoreApplicationState: coder)
                }
            }

            /// True if the delegate has neither the method nor its older form: the window opts in for the app.
            func shouldSave(_ coder: NSCoder) -> Bool {
                delegate.application?(application, shouldSaveSecureApplicationState: coder)
                    ?? (Deprecated() as any InsecureMethods).shouldSave(self, coder) ?? true
            }
            func shouldRestore(_ coder: NSCoder) -> Bool {
                delegate.application?(application, shouldRestoreSecureApplicationState: coder)
                    ?? (Deprecated() as any InsecureMethods).shouldRestore(self, coder) ?? true
            }
            func willEncode(_ coder: NSCoder) {
                delegate.application?(application, willEncodeRestorableStateWith: coder)
            }
            func didDecode(_ coder: NSCoder) {
                delegate.application?(application, didDecodeRestorableStateWith: coder)
            }
            func viewController(_ path: [String], _ coder: NSCoder) -> UIViewController? {
                delegate.application?(application, viewControllerWithRestorationIdentifierPath: path, coder: coder)
            }
        #else
            func shouldSave(_ coder: NSCoder) -> Bool {
                delegate.application(application, shouldSaveSecureApplicationState: coder)
            }
            func shouldRestore(_ coder: NSCoder) -> Bool {
                delegate.application(application, shouldRestoreSecureApplicationState: coder)
            }
            func willEncode(_ coder: NSCoder) {
                delegate.application(application, willEncodeRestorableStateWith: coder)
            }
            func didDecode(_ coder: NSCoder) {
                delegate.application(application, didDecodeRestorableStateWith: coder)
            }
            func viewController(_ path: [String], _ coder: NSCoder) -> UIViewController? {
                delegate.application(application, viewControllerWithRestorationIdentifierPath: path, coder: coder)
            }
        #endif
    }

    #if canImport(ObjectiveC)
        @MainActor
        private protocol InsecureMethods {
            func shouldSave(_ methods: AppDelegateMethods, _ coder: NSCoder) -> Bool?
            func shouldRestore(_ methods: AppDelegateMethods, _ coder: NSCoder) -> Bool?
        }
    #endif
#endif
