/// What is tried while the disk is full: the end of a flow, which makes room, and once a second anything else.
///
/// A value that decides.
struct FullDisk: Sendable {
  /// How long nothing but ends is tried after the disk was found to be full.
  static let pause = Duration.seconds(1)

  private var nextTry: ContinuousClock.Instant?

  /// Whether the disk was full when it was last asked.
  var isKnown: Bool { nextTry != nil }

  /// Whether a commit is to be tried.
  ///
  /// - Parameters:
  ///   - isEnd: whether it ends a flow.
  ///   - now: the time.
  /// - Returns: false if it is to be refused at once.
  func admits(isEnd: Bool, at now: @autoclosure () -> ContinuousClock.Instant = .now) -> Bool {
    guard let nextTry, !isEnd else { return true }
    return now() >= nextTry
  }

  /// A commit has found no room.
  mutating func noRoom(at now: ContinuousClock.Instant = .now) { nextTry = now + Self.pause }

  /// A commit that did not only end flows was stored.
  mutating func hasRoom() { nextTry = nil }
}
