/// Signs devices in and out, and erases users.
package struct Accounts: UseCases {
    let service: RestorationService
}
