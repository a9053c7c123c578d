@_exported public import PlacekeeperKit
