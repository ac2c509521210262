/// An effect that ``KeeperState`` returns for the keeper to perform.
package enum KeeperEffect: Sendable, Hashable {
  case send(ConnectionID, [UInt8])
  /// Closes a connection once everything is sent.
  case close(ConnectionID)
  /// Types bytes into the program's terminal.
  case type([UInt8])
  /// Reports ``KeeperEvent/timer(_:)`` after some time. Setting a timer again restarts it.
  case wait(KeeperTimer, milliseconds: Int)
  /// Asks all descendants of the keeper to end.
  case terminate
  /// Kills all descendants of the keeper.
  case kill
  /// Hangs up the terminal, which also ends processes of other users.
  case hangUp
  /// Ends the keeper once everything is sent.
  case leave
}
