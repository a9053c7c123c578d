import PlacekeeperStandIns
package import PlacekeeperRuntime

/// An app with a selectable text, and pages of numbers that a storyboard makes.
@MainActor
package final class TextAndNumbers: SampleApp {
    package let environment: RestorationEnvironment
    package let shell: Shell
    package let list: ListScreen
    package let text = TextScreen()
    private let numbers: Catalog
    private let storyboard = Storyboard(name: "Main")
    private let textStack: NavigationController
    private let numberStack: NavigationController

    package init(_ items: Catalog, layout: DeviceLayout) {
        numbers = items
        list = ListScreen("Numbers", of: numbers)
        textStack = NavigationController("TextTab", text)
        numberStack = NavigationController("NumbersTab", list)
        shell = Shell([textStack, numberStack], layout: layout)
        storyboard.add(identifier: "NumberPage") { NumberPage($0) }
        environment = RestorationEnvironment(restorationClasses: [NumberPage.self], storyboards: [storyboard])
        environment.registerObject(numbers, restorationIdentifier: "NumberStore")
    }

    /// Shows the list of numbers.
    package func showNumbers() { shell.select(numberStack) }

    /// Opens the page of a number.
    package func open(number id: String) {
        showNumbers()
        list.select(id)
        open(ShownElement(id, of: numbers))
    }

    private func open(_ number: ShownElement) {
        guard let page = storyboard.instantiateViewController(withIdentifier: "NumberPage") as? NumberPage
        else { return }
        page.show(number, of: numbers)
        shell.open(page)
    }

    package func go(to step: PlaceStep) async -> Bool {
        switch step.screen {
        case "Text":
            shell.select(textStack)
            text.view.decodeSelection(from: step.parameters)
        case "Numbers":
            showNumbers()
            list.show(step)
        case "Number":
            guard let number = numbers.shownItem(in: step) else { return false }
            showNumbers()
            list.show(number)
            open(number)
        default: return false
        }
        return true
    }
}
