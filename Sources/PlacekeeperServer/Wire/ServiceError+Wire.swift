import PlacekeeperCore
import PlacekeeperService

// Describes the domain's errors in terms of HTTP, JSON and the command, which the domain doesn't know.

extension ServiceError {
    /// A sentence that says how to correct the error.
    var advice: String? {
        let command = "placekeeper app data-sources APP --declare"
        return switch code {
        case .dataSourceUnknown: "Declare it with PUT /v1/data-sources/NAME."
        case .dataSourceDiffers: "An operator can change it: \(command) NAME=SCOPE."
        case .tooManyDataSources: "An operator can declare more: \(command) NAME=SCOPE."
        case .itemsNotRegistered:
            "An operator can change it: \(command) \(details["dataSource"] ?? "NAME")=registered."
        case .signInTokenInvalid: "An operator can see why: placekeeper app check-token APP."
        case .screenshotsOff: "An operator can turn them on: placekeeper app policy APP --set allowsScreenshots=true."
        case .quotaExceeded: quotaAdvice
        default: nil
        }
    }

    private var quotaAdvice: String? {
        guard let quota = details["quota"].flatMap(QuotaExcess.Name.init) else { return nil }
        return switch quota {
        case .anonymousBytes: "Sign in to an account, delete archives, or forget a scene."
        case .userBytes, .userArchives: "Delete archives, or forget a scene."
        case .appBytes, .appUsers, .appDevices: "The operator of the service can raise this limit."
        }
    }
}

extension ServiceError.MemberStep {
    /// The step as a component of a JSON pointer, unescaped.
    var token: String {
        switch self {
        case .name(let name): name
        case .index(let index): "\(index)"
        }
    }
}
