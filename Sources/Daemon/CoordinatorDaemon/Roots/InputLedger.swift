import CoordinatorKit
import DBus

/// The memory that the inputs of flows take up, per client that started them and in total. Sizes are approximate, in
/// bytes.
///
/// A value type without side effects.
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

  /// Returns the memory for the flows that a client has started.
  func bytes(of client: String) -> Int { byClient[client] ?? 0 }

  /// Returns the reason why a flow may not take up more memory; nil if it may.
  ///
  /// - Parameters:
  ///   - bytes: the additional memory.
  ///   - client: the client that has started the flow, or is about to.
  /// - Returns: the error to reply with.
  func refusal(of bytes: Int, to client: String) -> DBusError? {
    // After a restart it may be unknown which client started a flow.
    guard client.isEmpty || bytes <= Int(limits.maxInputBytesPerClient) - self.bytes(of: client) else {
      return .limitsExceeded("the inputs of the flows started by this client take up too much memory: end some of these flows")
    }
    guard bytes <= Int(limits.maxInputBytes) - total else {
      return .limitsExceeded("the inputs of all flows take up too much memory: end some flows")
    }
    return nil
  }

  /// Returns the client that started a root; "" if it is unknown, nil if there is no such root.
  func client(of name: String) -> String? { entries[name]?.client }

  /// Sets the memory that the inputs of a tree take up.
  mutating func set(_ name: String, of client: String, to bytes: Int) {
    remove(name)
    entries[name] = Entry(client: client, bytes: bytes)
    total += bytes
    byClient[client, default: 0] += bytes
  }

  /// Updates the memory that the inputs of a known tree take up.
  mutating func update(_ name: String, to bytes: Int) {
    guard let client = entries[name]?.client else { return }
    set(name, of: client, to: bytes)
  }

  /// Removes a tree.
  mutating func remove(_ name: String) {
    guard let entry = entries.removeValue(forKey: name) else { return }
    total -= entry.bytes
    let left = bytes(of: entry.client) - entry.bytes
    byClient[entry.client] = left > 0 ? left : nil
  }
}

extension Publication {
  /// Whether the tree's coordinators or drafts have changed, and with them the size of its inputs.
  var changesInputs: Bool { !started.isEmpty || !ended.isEmpty || !drafted.isEmpty }
}
