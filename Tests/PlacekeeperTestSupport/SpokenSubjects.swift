package import PlacekeeperCore
import PlacekeeperService

/// Accepts each token of the form `subject NAME` as a sign-in token of the subject `NAME`.
package struct SpokenSubjects: SignInVerifying {
    package init() {}

    package func subject(of token: [UInt8], for app: App, at now: Timestamp) async -> Subject? {
        let prefix = "subject "
        let text = String(decoding: token, as: UTF8.self)
        return text.hasPrefix(prefix) ? Subject(String(text.dropFirst(prefix.count))) : nil
    }
}
