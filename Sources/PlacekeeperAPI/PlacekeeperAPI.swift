// PlacekeeperAPI
