import CoordinatorKit
import DBus

/// How much of the daemon each client uses that has started flows: the number of its flows that have not ended, and the
/// memory that their inputs take up.
///
/// A value that decides.
struct ClientQuotas: Sendable {
  private var starts = StartCounts()
  private var inputs: InputLedger
  private let maxFlowsPerClient: UInt32

  /// Creates quotas of which nothing is used.
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
    case .delegate, .back, .dismiss: nil
    }
  }
}
