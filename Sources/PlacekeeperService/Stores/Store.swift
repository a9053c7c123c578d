package import PlacekeeperMatching

/// The service's storage. Each method takes effect completely or not at all. The writes of a method are durable when
/// the method returns. The keys of a user's data begin with the app and the user (`UserKey`).
///
/// Reads of an embedded store do not suspend. A write suspends until its transaction is committed. Every implementation
/// passes the suite in `Tests/PlacekeeperStoreConformance`.
package protocol Store:
    RuleStore, ArchiveReading, ChangeReading, UserStore, AppStore, ItemReading, ItemWriting, ExportStore,
    AdministratorStore,
    LogStore, StoreUpkeep, UserVersionSource
{}
