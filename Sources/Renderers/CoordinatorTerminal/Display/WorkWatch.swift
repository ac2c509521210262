import CoordinatorKit

/// Detects the end of work that has lasted so long that its user may have turned away.
struct WorkWatch: Sendable, Hashable {
  /// The minimum duration of such work, in microseconds.
  private static let longest: UInt64 = 10_000_000

  /// The start time of the shown work, and the title of its screen.
  private var work: (since: Timestamp, title: String)?

  /// Updates the state from the top screen.
  ///
  /// - Parameters:
  ///   - screen: top screen; nil if there is none, because the flow has ended.
  ///   - now: current time.
  /// - Returns: the title of the screen whose work has ended after a long time; nil otherwise.
  mutating func observe(_ screen: Screen?, at now: Timestamp) -> String? {
    if let screen, screen.progress != nil {
      work = (work?.since ?? now, screen.title)
      return nil
    }
    guard let ended = work.take(), now.microseconds >= ended.since.microseconds + Self.longest else { return nil }
    return ended.title
  }

  static func == (left: WorkWatch, right: WorkWatch) -> Bool {
    left.work?.since == right.work?.since && left.work?.title == right.work?.title
  }

  func hash(into hasher: inout Hasher) { hasher.combine(work?.since) }
}
