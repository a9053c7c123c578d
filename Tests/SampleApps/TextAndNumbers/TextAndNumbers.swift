package import StateRestoration

/// A text with a selection, and pages with a number each that are made from a storyboard.
@MainActor
package final class TextAndNumbers: SampleApp {
    package let environment: RestorationEnvironment
    package let shell: Shell
    package let list: ListScreen
    package let text = TextScreen()
    private let numbers: Catalogue
    private let storyboard = Storyboard(name: "Main")
    private let textStack: NavigationController
    private let numberStack: NavigationController

    package init(_ items: Catalogue, layout: DeviceLayout) {
        numbers = items
        list = ListScreen("Numbers", of: numbers)
        textStack = NavigationController("TextTab", text)
        numberStack = NavigationController("NumbersTab", list)
        shell = Shell([textStack, numberStack], layout: layout)
        storyboard.add(identifier: "NumberPage") { NumberPage($0) }
        environment = RestorationEnvironment(restorationClasses: [NumberPage.self], storyboards: [storyboard])
        environment.registerObject(numbers, restorationIdentifier: "NumberStore")
    }

    /// Looks at the numbers.
    package func showNumbers() { shell.select(numberStack) }

    /// Opens the page of a number.
    package func open(number id: String) {
        guard let page = storyboard.instantiateViewController(withIdentifier: "NumberPage") as? NumberPage
        else { return }
        showNumbers()
        list.select(id)
        page.show(id, of: numbers)
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
            guard let number = step.elements.first?.resolve(in: numbers) else { return false }
            open(number: number.identifier)
        default: return false
        }
        return true
    }
}
