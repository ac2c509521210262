/// A connection to one of the keeper's sockets; ids are never used twice.
package typealias ConnectionID = Int

/// Who has connected, by the socket.
package enum ConnectionKind: Sendable, Hashable {
  /// The engine, or a tool.
  case control
  /// A call of a shim. The command is the name of the process that called it, if it is known.
  case shim(caller: String)
  /// debconf, for a package, if its environment names one.
  case debconf(package: String)
  /// What apt says about its progress.
  case apt
}

/// What happens to a keeper.
package enum KeeperEvent: Sendable, Hashable {
  case connected(ConnectionID, ConnectionKind)
  case received(ConnectionID, [UInt8])
  /// The other end has closed the connection, or it has failed.
  case closed(ConnectionID)
  /// Something wants to connect as debconf does, and there is no room.
  case crowded
  /// The program has written to its terminal.
  case printed([UInt8])
  /// The program has ended; what it has started may still run.
  case ended(ProgramEnding)
  /// Nothing that the program has started runs any more.
  case childless
  case timer(KeeperTimer)
  /// Something has failed, and the program goes on.
  case trouble(String)
  /// Somebody wants the keeper to end, by a signal.
  case interrupted
}

/// What a keeper waits for.
package enum KeeperTimer: Sendable, Hashable {
  /// The next message about progress may be sent.
  case progress
  /// The program has printed nothing for a moment: it may wait for an answer.
  case quiet
  /// Who has connected has had the time to say what it wants, or to end after its answer.
  case silent(ConnectionID)
  /// A box of a call has been shown for as long as the program wants it.
  case shown(ConnectionID)
  /// The program does not wait for an answer any longer.
  case unanswered(QuestionID)
  /// Processes that were asked to end have had their time.
  case patience
  /// The exit status has been kept for long enough.
  case unfetched
}
