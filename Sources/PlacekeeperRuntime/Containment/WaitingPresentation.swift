/// A restored view controller whose presenter presents another one of this launch, such as a log-in screen (seed row
/// 82).
@MainActor
struct WaitingPresentation {
    weak var presenter: (any RestorableViewController)?
    let presented: any RestorableViewController
}

extension StateDecoder {
    /// Lets the view controller that was presented when the state was saved wait until `presentRestored()`.
    package func deferPresented(of presenter: any RestorableViewController) {
        guard let presented = child(forKey: ReservedKey.Structure.presented, of: presenter),
            presenter.restorablePresented !== presented
        else { return }
        context.wait(WaitingPresentation(presenter: presenter, presented: presented))
    }
}

extension RestorationEnvironment {
    /// Presents the restored view controllers that wait, because this launch presented others instead, such as a log-in
    /// screen. Call this when that screen was dismissed. One whose presenter presents again waits further.
    ///
    /// Until then, saving keeps them: the next launch restores them, too.
    public func presentRestored() {
        // Presenting calls the app, which may save its state meanwhile.
        let all = waitingPresentations
        waitingPresentations = all.filter { $0.presenter?.restorablePresented != nil }
        for waiting in all {
            guard let presenter = waiting.presenter, presenter.restorablePresented == nil else { continue }
            presenter.restorePresented(waiting.presented)
        }
    }

    /// Whether a restored view controller waits.
    package var hasWaitingPresentations: Bool { !waitingPresentations.isEmpty }

    /// Returns the view controller that waits for a presenter whose own presented view controller, if any, is not saved.
    func waitingPresented(of presenter: any RestorableViewController) -> (any RestorableViewController)? {
        guard presenter.restorablePresented?.savedIdentifier == nil else { return nil }
        return waitingPresentations.last { $0.presenter === presenter }?.presented
    }
}
