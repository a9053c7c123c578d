@_exported public import PlacekeeperClient
