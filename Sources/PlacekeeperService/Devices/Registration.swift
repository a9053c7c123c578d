package import PlacekeeperCore

/// A device's request to be registered.
package struct Registration: Sendable {
    /// The app's publishable key, which begins with `pk_`.
    package var publishableKey: String
    package var idiom: Idiom
    package var model: String?
    package var name: String?
    package var systemVersion: String?
    /// The id and the secret that the client made for its installation. Nil if the client did not make them.
    package var installation: (id: InstallationID, secret: String)?
    package var joins = Joins.newUser
    /// The launch of the device's app. Nil if the device does not count its launches.
    package var launch: CountedLaunch?
    /// The source of the request, such as the peer's address. Wrong link codes are throttled by source.
    package var source: String
    /// Whether the app's limit of new users does not apply to the registration.
    package var isExempt = false

    /// The user that the device asks for.
    package enum Joins: Sendable {
        /// A new anonymous user, or the user that the device of the installation already has.
        case newUser
        case linkCode(String)
        /// The account of a sign-in token.
        case account(token: String)
        /// The user of the installation whose identity the device has copied.
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
    /// The bearer token, which is shown only once.
    package var token: String
}
