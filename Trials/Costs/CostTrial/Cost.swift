/// What one call costs the daemon.
public struct Cost: Sendable, Hashable, Codable {
  /// How many instructions its threads execute, libraries included.
  public var instructions: Double
  /// How many blocks it allocates, libraries included.
  public var allocations: Double
  /// How many bytes those have.
  public var bytes: Double

  /// Puts the figures together.
  public init(instructions: Double, allocations: Double, bytes: Double) {
    (self.instructions, self.allocations, self.bytes) = (instructions, allocations, bytes)
  }

  /// Each figure with its name, as the table lists them.
  static let figures: [(name: String, value: @Sendable (Cost) -> Double)] = [
    ("instructions", \.instructions), ("allocations", \.allocations), ("bytes allocated", \.bytes),
  ]
}
