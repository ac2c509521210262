/// The keeper of a program could not be reached this time: the system lacks something, or a connection was lost.
struct KeeperTrouble: Error {}
