// PlacekeeperServer
