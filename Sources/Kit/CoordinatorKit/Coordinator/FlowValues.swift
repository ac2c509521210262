/// The state of a coordinator: a value that can be stored and that has an initial value.
///
/// ```swift
/// struct State: FlowState {
///   var username = ""
///   var attempts = 0
/// }
/// ```
public protocol FlowState: Codable, Sendable {
  /// Creates the state that a coordinator has before it starts.
  init()
}

/// The state of a coordinator that does not need any.
public struct NoState: FlowState {
  /// Creates an empty state.
  public init() {}
}

/// The input of a flow that does not take any.
public struct NoInput: Codable, Sendable {
  /// Creates an empty input.
  public init() {}
}

/// The result of a flow that does not have any.
public struct NoResult: Codable, Sendable {
  /// Creates an empty result.
  public init() {}
}
