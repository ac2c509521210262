/// A setting of a machine with one value, such as its time zone.
protocol Setting: Sendable {
  /// Reads the present value; empty if none is set.
  func value() async throws -> String

  /// Sets the value permanently.
  func set(_ value: String) async throws
}
