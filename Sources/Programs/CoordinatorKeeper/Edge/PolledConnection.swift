import CPlatform
import Glibc

/// A connection that sends its bytes when the peer reads them.
struct PolledConnection {
  /// The maximum number of bytes that wait for a peer that does not read.
  private static let mostWaiting = 32 << 20

  let descriptor: Int32
  let kind: ConnectionRoom.Kind
  private var waiting: [UInt8] = []
  /// Whether the connection closes once everything is sent.
  private(set) var isClosing = false

  init(_ descriptor: Int32, _ kind: ConnectionRoom.Kind) { (self.descriptor, self.kind) = (descriptor, kind) }

  /// Whether bytes wait to be sent.
  var hasWaiting: Bool { !waiting.isEmpty }

  /// Whether so many bytes wait that the peer seems to have stopped.
  var isFull: Bool { waiting.count > Self.mostWaiting }

  /// Sends bytes, now or later. Returns whether the connection is still usable.
  mutating func send(_ bytes: [UInt8]) -> Bool {
    waiting += bytes
    return flush() && !isFull
  }

  /// Sends as many bytes as the peer accepts now. Returns whether the connection is still usable.
  mutating func flush() -> Bool {
    var start = 0
    while start < waiting.count {
      let sent = waiting[start...].withUnsafeBytes { coordinatord_send(descriptor, $0.baseAddress, $0.count, nil, 0) }
      if sent < 0, errno == EAGAIN { break }
      guard sent > 0 else { return false }
      start += sent
    }
    // The bytes may contain a secret; their memory is wiped when it is released.
    if start == waiting.count { waiting = [] } else { waiting.removeFirst(start) }
    return !(isClosing && waiting.isEmpty)
  }

  /// Closes the connection once everything is sent. Returns whether that is later.
  mutating func close() -> Bool {
    isClosing = true
    return flush()
  }
}

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
