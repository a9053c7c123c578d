/// The name of the app's own module.
public let ownName = "Cryptography"
