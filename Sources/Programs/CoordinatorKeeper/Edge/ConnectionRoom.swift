/// Limits the connections to the sockets of a keeper. Each kind has its own limit, so that a client that answers the shims or
/// ends the program can connect, however many shims ask.
struct ConnectionRoom: Sendable, Hashable {
  /// The purpose of a connection.
  enum Kind: Sendable, Hashable, CaseIterable { case control, shim, debconf, apt }

  /// The maximum numbers of control connections and of debconf's connections.
  static let (controls, debconfs) = (32, 16)
  /// The maximum number of concurrent calls of shims. Further ones wait in connect(2).
  static let mostShims = 256
  /// The number of descriptors that the keeper itself, and each scan of /proc, may have open.
  private static let own = 64

  private let shims: Int
  private var taken: [Kind: Int] = [:]

  /// Creates the limits of a process.
  ///
  /// - Parameter descriptors: the number of descriptors that the process may have.
  init(descriptors: Int) {
    shims = min(max(descriptors - Self.own - Self.controls - Self.debconfs, 8), Self.mostShims)
  }

  /// Whether another connection may be accepted.
  func has(_ kind: Kind) -> Bool {
    let limit =
      switch kind {
      case .control: Self.controls
      case .shim: shims
      case .debconf: Self.debconfs
      case .apt: 1
      }
    return taken[kind, default: 0] < limit
  }

  /// Counts a new connection.
  mutating func take(_ kind: Kind) { taken[kind, default: 0] += 1 }

  /// Counts a connection that has ended.
  mutating func giveBack(_ kind: Kind) { taken[kind, default: 0] -= 1 }
}
