import RestorationService

// Describes the domain's errors in the words of HTTP, JSON and the command. The domain does not know these words.

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
        default: nil
        }
    }
}

extension ServiceError.MemberStep {
    /// The step as a part of a JSON pointer, not escaped.
    var token: String {
        switch self {
        case .name(let name): name
        case .index(let index): "\(index)"
        }
    }
}
