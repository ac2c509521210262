/// The error for a keeper that could not be reached this time: the system lacks resources, or a connection was lost.
struct KeeperTrouble: Error {}
