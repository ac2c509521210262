/// One value that a machine keeps, such as its time zone.
protocol Setting: Sendable {
  /// Reads the present value; empty if none is set.
  func value() async throws -> String

  /// Sets the value, once and for all.
  func set(_ value: String) async throws
}
