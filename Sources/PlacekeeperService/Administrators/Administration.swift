/// Administrators with their sessions and API tokens.
package struct Administration: UseCases {
    let service: RestorationService
}
