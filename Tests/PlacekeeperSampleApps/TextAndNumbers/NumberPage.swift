import PlacekeeperArchive
package import PlacekeeperStandIns
package import PlacekeeperRuntime

/// A page with a number. The restoration class makes the page from its storyboard, unless the number no longer exists.
@MainActor
package final class NumberPage: ViewController, ViewControllerRestoration, PlaceProviding, ItemShowing {
    private enum Key {
        static let numbers = "numbers", number = "MyViewControllerNumber"
    }

    private var number: ShownElement?
    private var numbers: Catalog?

    package init(_ origin: StoryboardOrigin) {
        super.init()
        restorationIdentifier = origin.identifier
        restorationClass = NumberPage.self
        storyboardOrigin = origin
    }

    package func show(_ number: ShownElement, of numbers: Catalog) {
        (self.number, self.numbers) = (number, numbers)
        updateTitle()
    }

    private func updateTitle() { title = number?.identifier.flatMap { numbers?[$0]?.title } }

    package func itemsArrived() {
        if number?.lookAgain() == true { updateTitle() }
    }

    package static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        guard let numbers: Catalog = coder.decodeObject(forKey: Key.numbers),
            numbers.shownItem(from: coder, forKey: Key.number) != nil,
            let page = coder.originalStoryboard?.instantiateViewController(withIdentifier: "NumberPage") as? NumberPage
        else { return nil }
        page.restorationIdentifier = path.last
        page.restorationClass = NumberPage.self
        return page
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(numbers, forKey: Key.numbers)
        if let number { coder.encode(number, forKey: Key.number) }
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        guard let numbers: Catalog = coder.decodeObject(forKey: Key.numbers),
            let number = numbers.shownItem(from: coder, forKey: Key.number)
        else { return }
        show(number, of: numbers)
    }

    package func encodePlace(with coder: PlaceEncoder) {
        guard let reference = number?.reference else { return }
        coder.addStep(screen: "Number", title: title, elements: [reference])
    }
}
