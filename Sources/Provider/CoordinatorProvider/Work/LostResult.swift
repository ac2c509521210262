import DBus

/// The result of a piece of work cannot be stored: the work was done, and must not be ordered again for that.
protocol LostResult: Error, CustomStringConvertible {
  /// The type of the error that the flow gets instead of the result.
  static var type: String { get }
}

extension LostResult {
  /// What `EndWork` is told instead of the result.
  var described: [String: Value] { ["type": .string(Self.type), "message": .string(description)] }
}

/// The result is longer than the daemon stores.
struct TooLongResult: LostResult {
  /// The most bytes of a result, as text.
  static let limit = 256 * 1024
  static let type = "too-long"

  var description: String { "the work was done, but its result has more than \(Self.limit / 1024) KiB, and is not stored" }
}

/// The daemon has refused the result.
struct RefusedResult: LostResult {
  static let type = "refused-result"

  let reason: String

  var description: String { "the work has ended, but its result was refused: \(reason)" }
}
