/// The program that started the service.
package enum ServiceManager {
    /// Does nothing: launchd asks for no sign that a service is ready.
    package static func noteReady() {}
}
