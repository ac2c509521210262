/// How many connections the sockets of a keeper may have: each kind has room of its own, so that however many shims ask,
/// who answers them, or ends the program, gets in.
struct ConnectionRoom: Sendable, Hashable {
  /// What a connection is for.
  enum Kind: Sendable, Hashable, CaseIterable { case control, shim, debconf, apt }

  /// The most connections that ask for anything else than questions, by default.
  static let (controls, debconfs) = (32, 16)
  /// The most calls of shims at a time. Further ones wait in connect(2).
  static let mostShims = 256
  /// What the keeper itself, and each look into /proc, may have open.
  private static let own = 64

  private let shims: Int
  private var taken: [Kind: Int] = [:]

  /// Creates the room of a process.
  ///
  /// - Parameter descriptors: how many descriptors it may have.
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

  /// Takes the place of a connection.
  mutating func take(_ kind: Kind) { taken[kind, default: 0] += 1 }

  /// Gives the place of a connection back.
  mutating func giveBack(_ kind: Kind) { taken[kind, default: 0] -= 1 }
}
