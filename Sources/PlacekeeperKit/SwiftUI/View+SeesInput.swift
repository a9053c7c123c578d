#if canImport(SwiftUI)
    import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension View {
        /// Reports each URL, touch and key in this view's window to a place, without changing them.
        @ViewBuilder
        func seesInput(of place: KeptPlace) -> some View {
            let observed = onOpenURL { _ in place.noteInput() }
            #if (canImport(UIKit) && !os(watchOS) && !os(tvOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
                observed.background(InputObserver(place: place))
            #else
                // Input isn't observed, so each change after the launch counts as the user's.
                observed
            #endif
        }
    }

    #if canImport(UIKit) && !os(watchOS) && !os(tvOS)
        /// An empty view that observes the touches in its window.
        @available(iOS 17, visionOS 1, *)
        private struct InputObserver: UIViewRepresentable {
            let place: KeptPlace

            func makeUIView(context: Context) -> ObservingView { ObservingView(place) }
            func updateUIView(_ view: ObservingView, context: Context) {}
        }

        @available(iOS 17, visionOS 1, *)
        private final class ObservingView: UIView {
            private let place: KeptPlace
            private let input: WindowInput

            init(_ place: KeptPlace) {
                self.place = place
                input = WindowInput { place.noteInput() }
                super.init(frame: .zero)
                isUserInteractionEnabled = false
            }

            required init?(coder: NSCoder) { nil }

            override func didMoveToWindow() {
                super.didMoveToWindow()
                input.observe(window)
                guard window != nil else { return }
                // Assistive technologies act without touches.
                place.seesInput = { [weak self] in
                    self?.window != nil && !UIAccessibility.isVoiceOverRunning
                        && !UIAccessibility.isSwitchControlRunning
                }
            }
        }
    #elseif canImport(AppKit) && !targetEnvironment(macCatalyst)
        /// An empty view that observes the clicks and keys in its window.
        @available(macOS 14, *)
        private struct InputObserver: NSViewRepresentable {
            let place: KeptPlace

            func makeNSView(context: Context) -> ObservingView { ObservingView(place) }
            func updateNSView(_ view: ObservingView, context: Context) {}
            static func dismantleNSView(_ view: ObservingView, coordinator: ()) { view.stop() }
        }

        /// A local monitor gets each event of the app before it is dispatched, and passes it on unchanged.
        /// https://developer.apple.com/documentation/appkit/nsevent/addlocalmonitorforevents(matching:handler:)
        @available(macOS 14, *)
        private final class ObservingView: NSView {
            private let place: KeptPlace
            private var monitor: Any?
            private var menu: (any NSObjectProtocol)?

            init(_ place: KeptPlace) {
                self.place = place
                super.init(frame: .zero)
            }

            required init?(coder: NSCoder) { nil }

            override func viewDidMoveToWindow() {
                super.viewDidMoveToWindow()
                stop()
                guard window != nil else { return }
                monitor = NSEvent.addLocalMonitorForEvents(
                    matching: [.leftMouseDown, .rightMouseDown, .otherMouseDown, .keyDown]
                ) { [weak self] event in
                    if let self, let window, event.window.map({ $0.isPart(of: window) }) == true { place.noteInput() }
                    return event
                }
                // The monitor gets no events from an open menu.
                // https://developer.apple.com/documentation/appkit/nsmenu/didsendactionnotification
                menu = NotificationCenter.default.addObserver(
                    forName: NSMenu.didSendActionNotification, object: nil, queue: .main
                ) { [weak self] _ in
                    // The main queue runs this on the main thread.
                    MainActor.assumeIsolated {
                        if let self, self.window?.isMainWindow == true { self.place.noteInput() }
                    }
                }
                // Assistive technologies act without clicks.
                place.seesInput = { [weak self] in
                    let workspace = NSWorkspace.shared
                    return self?.window != nil && !workspace.isVoiceOverEnabled && !workspace.isSwitchControlEnabled
                }
            }

            func stop() {
                if let monitor { NSEvent.removeMonitor(monitor) }
                if let menu { NotificationCenter.default.removeObserver(menu) }
                (monitor, menu) = (nil, nil)
            }
        }

        extension NSWindow {
            /// Whether this is the given window, or one of its sheets or popovers.
            fileprivate func isPart(of window: NSWindow) -> Bool {
                self === window || sheetParent === window || parent === window
            }
        }
    #endif
#endif
