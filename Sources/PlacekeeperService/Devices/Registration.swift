package import PlacekeeperCore

/// A device's registration request.
package struct Registration: Sendable {
    /// The app's publishable key, with the prefix `pk_`.
    package var publishableKey: String
    package var idiom: Idiom
    package var model: String?
    package var name: String?
    package var systemVersion: String?
    /// The ID and secret that the client created for its installation, if any.
    package var installation: (id: InstallationID, secret: String)?
    package var joins = Joins.newUser
    /// The app's launch. Nil if the device doesn't count launches.
    package var launch: CountedLaunch?
    /// The source of the request, such as the peer's address. Wrong link codes are throttled by source.
    package var source: String
    /// Whether the registration is exempt from the app's limit of new users.
    package var isExempt = false

    /// The user that the device wants to join.
    package enum Joins: Sendable {
        /// A new anonymous user, or the current user of the installation's device.
        case newUser
        case linkCode(String)
        /// The account of a sign-in token.
        case account(token: String)
        /// The user of the installation whose identity this device copied.
        case copy(of: (id: InstallationID, secret: String))
    }

    package init(
        publishableKey: String, idiom: Idiom, model: String? = nil, name: String? = nil, systemVersion: String? = nil,
        installation: (id: InstallationID, secret: String)? = nil, linkCode: String? = nil, source: String = ""
    ) {
        self.publishableKey = publishableKey
        self.idiom = idiom
        self.model = model
        self.name = name
        self.systemVersion = systemVersion
        self.installation = installation
        if let linkCode { joins = .linkCode(linkCode) }
        self.source = source
    }
}

/// A registered device and its token.
package struct Registered: Sendable {
    package var device: Device
    /// The bearer token. It is shown only once.
    package var token: String
}
