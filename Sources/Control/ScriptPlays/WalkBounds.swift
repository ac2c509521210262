/// What ends a walk through a script before all paths are walked.
package struct WalkBounds: Sendable, Hashable {
  /// A limit that a walk has reached. The raw values are in the output for programs.
  package enum Bound: String, Sendable, Hashable {
    case paths, seconds
    /// The states that are kept in memory.
    case states
    /// The user has interrupted the walk.
    case interrupt
  }

  /// The maximum number of paths.
  package var maxPaths: Int
  /// The maximum time, in seconds.
  package var maxSeconds: Double

  /// Creates bounds.
  package init(maxPaths: Int = 2_000, maxSeconds: Double = 30) { (self.maxPaths, self.maxSeconds) = (maxPaths, maxSeconds) }
}

extension ExploredFlow {
  /// What has ended the walk, what was not walked, and how to walk on, as lines; empty if all paths were walked.
  ///
  /// - Parameter bounds: the bounds of the walk.
  /// - Returns: the lines.
  package func notice(of bounds: WalkBounds) -> [String] {
    guard let bound else { return [] }
    let reason =
      switch bound {
      case .paths: "stopped after \(bounds.maxPaths) path\(bounds.maxPaths == 1 ? "" : "s"); --max-paths N walks more"
      case .seconds: "stopped after \(WalkBounds.text(bounds.maxSeconds)) s; --max-seconds N walks longer"
      case .states: "stopped after \(moves) moves, because its states fill the memory"
      case .interrupt: "interrupted after \(WalkBounds.text(seconds)) s"
      }
    let most = 5
    let more = untried.count > most ? ", and \(untried.count - most) more" : ""
    let rest =
      untried.isEmpty
      ? "every answer was tried once, but not all in all combinations"
      : "not tried: \(untried.prefix(most).joined(separator: ", "))\(more)"
    return ([reason, growth, rest] as [String?]).compactMap(\.self)
  }
}

extension WalkBounds {
  /// A number of seconds for people, with at most one decimal.
  static func text(_ seconds: Double) -> String {
    let tenths = (max(0, min(seconds, 1e12)) * 10).rounded()
    return tenths.truncatingRemainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))" : "\(tenths / 10)"
  }
}
