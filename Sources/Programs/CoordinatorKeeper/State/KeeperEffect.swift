/// What a keeper does.
package enum KeeperEffect: Sendable, Hashable {
  case send(ConnectionID, [UInt8])
  /// Closes a connection once everything is sent.
  case close(ConnectionID)
  /// Types bytes into the program's terminal.
  case type([UInt8])
  /// Reports ``KeeperEvent/timer(_:)`` after some time; a timer that is set again begins anew.
  case wait(KeeperTimer, milliseconds: Int)
  /// Asks everything that the program has started to end.
  case terminate
  /// Ends everything that the program has started, without asking.
  case kill
  /// Takes the terminal away, which also reaches processes of other users.
  case hangUp
  /// Ends the keeper once everything is sent.
  case leave
}
