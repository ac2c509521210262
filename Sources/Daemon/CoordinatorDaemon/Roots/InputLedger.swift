import DBus

/// How much memory the inputs of flows take up: of those that one client has started, and of all together.
///
/// A value that decides. Bytes are rough.
struct InputLedger: Sendable {
  private struct Entry: Sendable {
    let client: String
    var bytes: Int
  }

  private(set) var total = 0
  private var entries: [String: Entry] = [:]
  private var byClient: [String: Int] = [:]
  var limits: DaemonLimits

  init(limits: DaemonLimits) { self.limits = limits }

  /// How much the flows take up that a client has started.
  func bytes(of client: String) -> Int { byClient[client] ?? 0 }

  /// Why a flow may not get more; nil if it may.
  ///
  /// - Parameters:
  ///   - bytes: how much more.
  ///   - client: who has started the flow, or is about to.
  /// - Returns: the error to answer with.
  func refusal(of bytes: Int, to client: String) -> DBusError? {
    // Of a flow that came back after a restart it is not known who has started it.
    guard client.isEmpty || bytes <= Int(limits.maxInputBytesPerClient) - self.bytes(of: client) else {
      return .limitsExceeded("the inputs of the flows that this client has started take up too much memory: end some of them")
    }
    guard bytes <= Int(limits.maxInputBytes) - total else {
      return .limitsExceeded("the inputs of all flows take up too much memory: end some of them")
    }
    return nil
  }

  /// Who has started the flow of a root; nil if it is not known.
  func client(of name: String) -> String? { entries[name]?.client }

  /// Notes what the inputs of a tree take up from now on.
  mutating func set(_ name: String, of client: String, to bytes: Int) {
    remove(name)
    entries[name] = Entry(client: client, bytes: bytes)
    total += bytes
    byClient[client, default: 0] += bytes
  }

  /// Notes that the inputs of a known tree have changed.
  mutating func update(_ name: String, to bytes: Int) {
    guard let client = entries[name]?.client else { return }
    set(name, of: client, to: bytes)
  }

  /// Forgets a tree.
  mutating func remove(_ name: String) {
    guard let entry = entries.removeValue(forKey: name) else { return }
    total -= entry.bytes
    let left = bytes(of: entry.client) - entry.bytes
    byClient[entry.client] = left > 0 ? left : nil
  }
}
