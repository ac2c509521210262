import CoordinatorKit
import DBus

/// The resources that each client uses whose flows have not ended: the number of these flows, and the memory of their inputs.
///
/// A value that makes decisions.
struct ClientQuotas: Sendable {
  private var starts = StartCounts()
  private var inputs: InputLedger
  private let maxFlowsPerClient: UInt32

  /// Creates quotas without usage.
  init(limits: DaemonLimits) {
    inputs = InputLedger(limits: limits)
    maxFlowsPerClient = limits.maxFlowsPerClient
  }

  /// The memory that the inputs of all flows take up, in bytes.
  var inputBytes: Int { inputs.total }

  /// Returns the reason why a client may not start another flow; nil if it may.
  ///
  /// - Parameters:
  ///   - client: the client.
  ///   - size: the memory that the input of the flow takes up, in bytes.
  /// - Returns: the error to reply with.
  func refusal(ofStartBy client: String, size: @autoclosure () -> Int) -> DBusError? {
    guard starts[client] < Int(maxFlowsPerClient) else {
      return .limitsExceeded("this client has already started \(maxFlowsPerClient) flows that are still running")
    }
    return inputs.refusal(of: size(), to: client)
  }

  /// Returns the reason why a tree may not receive a call's input; nil if it may.
  func refusal(of call: TreeCall, to name: String) -> DBusError? {
    guard let input = call.input, let client = inputs.client(of: name) else { return nil }
    return inputs.refusal(of: JSONValue.object(input).roughSize, to: client)
  }

  /// Returns whether a client that is on the bus has started a flow that has not ended.
  func hasStarts(of client: String) -> Bool { starts[client] > 0 }

  // MARK: Flows

  /// Counts a flow that a client has started.
  mutating func start(by client: String) { starts.add(client) }

  /// Stops counting a flow that has ended, or has not started, and its inputs.
  mutating func end(_ name: String, by client: String) {
    starts.remove(client)
    inputs.remove(name)
  }

  /// Stops counting the flows that a client has started, because it has left the bus.
  mutating func forget(_ client: String) { starts.forget(client) }

  // MARK: Inputs

  /// Sets the memory that the inputs of a client's flow take up, in bytes.
  mutating func set(_ name: String, of client: String, to bytes: Int) { inputs.set(name, of: client, to: bytes) }

  /// Updates the memory that the inputs of a known flow take up, in bytes.
  mutating func update(_ name: String, to bytes: Int) { inputs.update(name, to: bytes) }

  /// Applies other limits to the memory that inputs take up.
  mutating func limitInputs(_ limits: DaemonLimits) { inputs.limits = limits }
}

extension TreeCall {
  /// The input of the call that is kept while the tree is live.
  fileprivate var input: [String: JSONValue]? {
    switch self {
    case .startChild(_, _, let input, _), .saveDraft(_, let input): input
    case .delegate, .back, .dismiss, .proposeLanguage: nil
    }
  }
}

/// The number of flows that have not ended for each client that started them; on the system bus, for each user.
///
/// A value that makes decisions.
struct StartCounts: Sendable {
  private var counts: [String: Int] = [:]

  /// The number of flows of a client.
  subscript(client: String) -> Int { counts[client] ?? 0 }

  /// Counts a flow that a client starts.
  mutating func add(_ client: String) { counts[client, default: 0] += 1 }

  /// Stops counting a flow of a client. Does nothing for a client that is not counted.
  mutating func remove(_ client: String) {
    guard let count = counts[client] else { return }
    counts[client] = count > 1 ? count - 1 : nil
  }

  /// Stops counting all flows of a client.
  mutating func forget(_ client: String) { counts[client] = nil }
}

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
