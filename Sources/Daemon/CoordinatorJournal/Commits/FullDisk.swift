/// Decides which commits to attempt while the disk is full: those that end a flow, which frees room, and any other once
/// a second.
///
/// A value type without side effects.
struct FullDisk: Sendable {
  /// How long only ends are attempted after the disk was found to be full.
  static let pause = Duration.seconds(1)

  private var nextTry: ContinuousClock.Instant?

  /// Whether the disk was full at the last attempt.
  var isKnown: Bool { nextTry != nil }

  /// Returns whether a commit should be attempted.
  ///
  /// - Parameters:
  ///   - isEnd: whether the commit ends a flow.
  ///   - now: the current time.
  /// - Returns: false if the commit should be refused at once.
  func admits(isEnd: Bool, at now: @autoclosure () -> ContinuousClock.Instant = .now) -> Bool {
    guard let nextTry, !isEnd else { return true }
    return now() >= nextTry
  }

  /// Records that a commit found no room.
  mutating func noRoom(at now: ContinuousClock.Instant = .now) { nextTry = now + Self.pause }

  /// Records that a commit that did more than end flows was stored.
  mutating func hasRoom() { nextTry = nil }
}
