/// The result of a piece of work is longer than the daemon stores.
struct TooLongResult: Error, CustomStringConvertible {
  /// The most bytes of a result, as text.
  static let limit = 256 * 1024

  var description: String { "the result has more than \(Self.limit / 1024) KiB" }
}
