package import PlacekeeperMatching

/// The service's storage. Each method takes effect either completely or not at all, and its writes are durable when it
/// returns. Keys of a user's data start with the app and the user (`UserKey`).
///
/// Reads of an embedded store don't suspend. Writes suspend until their transaction is committed. Every implementation
/// passes the suite in `Tests/PlacekeeperStoreConformance`.
package protocol Store:
    RuleStore, ArchiveReading, ChangeReading, UserStore, AppStore, ItemReading, ItemWriting, ExportStore,
    AdministratorStore,
    LogStore, StoreUpkeep, UserVersionSource
{}
