/// A connection to one of the keeper's sockets. Ids are never reused.
package typealias ConnectionID = Int

/// The kind of client that has connected, by the socket.
package enum ConnectionKind: Sendable, Hashable {
  /// The engine, or a tool.
  case control
  /// A call of a shim. `caller` is the name of the process that called the shim, if known.
  case shim(caller: String)
  /// debconf, with the name of the package if its environment has one.
  case debconf(package: String)
  /// apt's progress.
  case apt
}

/// An event that a keeper reacts to.
package enum KeeperEvent: Sendable, Hashable {
  case connected(ConnectionID, ConnectionKind)
  case received(ConnectionID, [UInt8])
  /// The peer has closed the connection, or the connection has failed.
  case closed(ConnectionID)
  /// debconf waits to connect, and the limit of connections is reached.
  case crowded
  /// The program has written to its terminal.
  case printed([UInt8])
  /// The program has ended; its descendants may still run.
  case ended(ProgramEnding)
  /// No descendant of the program runs any more.
  case childless
  case timer(KeeperTimer)
  /// An operation has failed; the program continues.
  case trouble(String)
  /// A signal has asked the keeper to end.
  case interrupted
}

/// A timer of a keeper.
package enum KeeperTimer: Sendable, Hashable {
  /// The next message about progress may be sent.
  case progress
  /// The program has printed nothing for a short time: it may wait for an answer.
  case quiet
  /// The time has passed in which a client must send its request, or must end after its answer.
  case silent(ConnectionID)
  /// A box has been shown for the time that the program asked for.
  case shown(ConnectionID)
  /// The program no longer waits for an answer.
  case unanswered(QuestionID)
  /// The time limit for processes that were asked to end has passed.
  case patience
  /// The time has passed for which the exit status is kept.
  case unfetched
}
