import Foundation
import PlacekeeperConcurrency
import PlacekeeperTesting

@testable import PlacekeeperClient

// Who uses a device. Nothing is asked and nothing is sampled: a device can change its account several times before the
// history looks at it again.
extension WindowHistory {
    /// Notes each change of the accounts since the last call.
    func noteAccounts() {
        // The answers are read last: the answer to each change is among them.
        let changes = phones.map(\.device.accounts)
        let answers = phones.flatMap { $0.answers.withLock { $0 } }
        for (request, response) in answers { recordUser(request, response) }
        for (phone, changes) in zip(phones, changes) {
            for change in changes[phone.noted...] { note(change, of: phone) }
            phone.noted = changes.count
        }
        for (request, response) in answers { noteGuest(request, response) }
    }

    /// The answers to a registration, a sign-in and a link.
    private struct Answered: Decodable {
        var user: String?
    }

    private struct Asked: Decodable {
        var token: String?
        var signInToken: String?
    }

    /// Notes the account of the user who signs in.
    private func recordUser(_ request: TransportRequest, _ response: TransportResponse) {
        guard let asked = try? JSONDecoder().decode(Asked.self, from: Data(request.body)),
            let name = Self.names.first(where: {
                [asked.token, asked.signInToken].contains(TestService.signInToken(of: $0))
            }), let user = user(in: response)
        else { return }
        names[user] = name
    }

    /// Notes the account to which the service moved a guest.
    private func noteGuest(_ request: TransportRequest, _ response: TransportResponse) {
        guard let field = request.fields.first(where: { $0.name == "Authorization" }), let guest = tokens[field.value],
            accounts[guest] == nil, let user = user(in: response), let name = names[user]
        else { return }
        accounts[guest] = name
    }

    private func user(in response: TransportResponse) -> String? {
        (try? JSONDecoder().decode(Answered.self, from: Data(response.body)))?.user
    }

    /// Notes the account that a device has stored.
    private func note(_ credentials: Credentials, of phone: Phone) {
        let before = phone.person
        let isGuest = before.hasPrefix("guest")
        if let registration = credentials.registration {
            if registration.isSignedIn {
                phone.person = names[registration.user] ?? "unknown"
            } else {
                // A guest who links the device with another guest's becomes this one.
                phone.person = guests[registration.user, default: before]
                guests[registration.user] = phone.person
                tokens["Bearer " + registration.token] = phone.person
            }
            if isGuest, phone.person != before, accounts[before] == nil { accounts[before] = phone.person }
        } else if !credentials.needsSignIn, !isGuest || credentials.owner != phone.owner {
            number += 1
            phone.person = "guest\(number)"
        }
        phone.registered = credentials.registration?.device ?? (credentials.needsSignIn ? phone.registered : nil)
        phone.owner = credentials.owner
        guard phone.person != before else { return }
        if isGuest { successors[before] = phone.person }
        log.append("  \(before) is \(phone.person) at \(service.clock.seconds)")
        if !isGuest || phone.person.hasPrefix("guest") { (phone.oldItems, phone.items) = (phone.items, []) }
    }
}
