import PlacekeeperStandIns
package import PlacekeeperRuntime

/// A photo browser with a grid of photos, a screen for a photo with effects, an inspector for an effect, and a
/// comparison of two effects.
@MainActor
package final class PhotoBrowser: SampleApp {
    package let environment: RestorationEnvironment
    package let shell: Shell
    package let grid: ListScreen
    package let comparison = ComparisonScreen()
    private let photos: Catalog
    private let storyboard = Storyboard(name: "Photos")
    private let gridStack: NavigationController

    package init(_ items: Catalog, layout: DeviceLayout) {
        photos = items
        grid = ListScreen("Photos", of: photos, in: CollectionView())
        gridStack = NavigationController("PhotosTab", grid)
        shell = Shell([gridStack, NavigationController("CompareTab", comparison)], layout: layout)
        // The storyboard recreates the inspector, so `FilterInspector` needs no restoration class.
        storyboard.add(identifier: "Inspector") { FilterInspector($0) }
        environment = RestorationEnvironment(
            restorationClasses: [PhotoScreen.self, Filter.self], storyboards: [storyboard])
        environment.registerObject(photos, restorationIdentifier: "PhotoSource")
    }

    /// Opens a photo.
    @discardableResult
    package func open(photo id: String) -> PhotoScreen {
        grid.select(id)
        let screen = PhotoScreen(ShownElement(id, of: photos), of: photos)
        shell.open(screen)
        return screen
    }

    /// Shows the settings of an effect of a photo.
    package func inspect(_ filter: Filter, of screen: PhotoScreen) {
        guard let inspector = storyboard.instantiateViewController(withIdentifier: "Inspector") as? FilterInspector
        else { return }
        inspector.filter = filter
        screen.present(inspector)
    }

    package func go(to step: PlaceStep) async -> Bool {
        switch step.screen {
        case "Photos":
            shell.select(gridStack)
            grid.show(step)
        case "Photo":
            guard let photo = photos.shownItem(in: step) else { return false }
            grid.show(photo)
            let screen = PhotoScreen(photo, of: photos)
            screen.show(step)
            shell.open(screen)
        case "Inspector":
            guard let screen = shell.visible.last as? PhotoScreen,
                let filter = step.parameters.decodeString(forKey: "filter").flatMap({ screen.filters[$0] })
            else { return false }
            inspect(filter, of: screen)
        default: return false
        }
        return true
    }
}
