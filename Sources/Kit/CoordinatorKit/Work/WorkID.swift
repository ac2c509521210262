/// The number of a piece of work in its flow tree, never used twice.
package struct WorkID: Sendable, Hashable {
  package let number: UInt64
}

/// A piece of work that a coordinator has started and not yet heard of.
package struct WorkRecord: Sendable {
  package let id: WorkID
  /// The coordinator's own description of what is to be done.
  package let work: any Codable & Sendable
  /// The screen that shows its progress.
  let screen: ScreenID?
  let tookSecrets: Bool
}
