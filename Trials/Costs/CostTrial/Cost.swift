/// The cost of a call to the daemon.
public struct Cost: Sendable, Hashable, Codable {
  /// The number of instructions that its threads execute, including libraries.
  public var instructions: Double
  /// The number of blocks that it allocates, including libraries.
  public var allocations: Double
  /// The total size of these blocks, in bytes.
  public var bytes: Double

  /// Creates a cost.
  public init(instructions: Double, allocations: Double, bytes: Double) {
    (self.instructions, self.allocations, self.bytes) = (instructions, allocations, bytes)
  }

  /// The figures with their names, in the order of the table.
  static let figures: [(name: String, value: @Sendable (Cost) -> Double)] = [
    ("instructions", \.instructions), ("allocations", \.allocations), ("bytes allocated", \.bytes),
  ]
}
