@_exported public import PlacekeeperModels
