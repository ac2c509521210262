/// The number of a piece of work in its flow tree; never reused.
package struct WorkID: Sendable, Hashable {
  package let number: UInt64
}

/// A piece of work that a coordinator has started and whose result it has not yet received.
package struct WorkRecord: Sendable {
  package let id: WorkID
  /// The coordinator's own description of the work.
  package let work: any Codable & Sendable
  /// Names it among the work of its coordinator; nil if it was started without a key.
  let key: WorkKey?
  /// The screen that shows the work's progress.
  let screen: ScreenID?
  let tookSecrets: Bool
  /// How it has ended, if another process performs it and the coordinator has not been told yet.
  var result: ProvidedWork.End?
  /// How many attempts another process may have begun to perform it.
  var attempts: UInt32 = 1
}
