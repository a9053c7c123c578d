import PlacekeeperStandIns
package import PlacekeeperRuntime

/// An app with profiles that have a picture and a name. A restoration class makes a profile's page, which loads its
/// profile after restoration.
@MainActor
package final class Profiles: SampleApp {
    package let environment = RestorationEnvironment(restorationClasses: [ProfilePage.self])
    package let shell: Shell
    package let list: ListScreen
    private let profiles: Catalog
    private let stack: NavigationController

    package init(_ items: Catalog, layout: DeviceLayout) {
        profiles = items
        list = ListScreen("Profiles", of: profiles)
        stack = NavigationController("ProfilesTab", list)
        shell = Shell([stack, NavigationController("SettingsTab", SettingsScreen())], layout: layout)
        environment.registerObject(profiles, restorationIdentifier: "ProfileStore")
    }

    /// Opens a profile.
    @discardableResult
    package func open(profile id: String) -> ProfilePage {
        list.select(id)
        let page = ProfilePage()
        page.show(ShownElement(id, of: profiles), of: profiles)
        shell.open(page)
        return page
    }

    package func go(to step: PlaceStep) async -> Bool {
        switch step.screen {
        case "Profiles":
            shell.select(stack)
            list.show(step)
        case "Profile":
            guard let profile = profiles.shownItem(in: step) else { return false }
            list.show(profile)
            let page = ProfilePage()
            page.show(profile, of: profiles)
            page.decodeChoices(from: step.parameters)
            shell.open(page)
        default: return false
        }
        return true
    }
}
