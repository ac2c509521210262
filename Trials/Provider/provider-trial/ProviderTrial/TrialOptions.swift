import CoordinatorKit

/// The options of a trial of a provider.
public struct TrialOptions: Sendable {
  /// The program of the provider, and its arguments.
  public var command: [String]
  /// The program of an older version, whose states the provider migrates; nil for none.
  public var oldCommand: [String]?
  /// The names of the flows to try; empty for all.
  public var flows: [String]
  /// The seed of all random choices.
  public var seed: UInt64
  /// The maximum number of states of each flow that are visited.
  public var maxStates: Int
  /// The maximum duration of work.
  public var patience: Duration
  /// The inputs to start flows with, by flow; the others are started with inputs that their schemas accept.
  public var inputs: [String: [String: JSONValue]]
  /// Payloads to try on screens with forms, by the name of the screen.
  public var answers: [String: [[String: JSONValue]]]
  /// The results of other programs' flows that the provider starts as children, by flow.
  public var childResults: [String: [String: JSONValue]]
  /// The passes to run after the walk.
  public var passes: Set<TrialPass>

  /// Creates options.
  ///
  /// - Parameters:
  ///   - command: the program of the provider, and its arguments.
  ///   - oldCommand: the program of an older version; nil for none.
  ///   - flows: the names of the flows to try; empty for all.
  ///   - seed: the seed of all random choices.
  ///   - maxStates: the maximum number of states of each flow that are visited.
  ///   - patience: the maximum duration of work.
  ///   - inputs: the inputs to start flows with, by flow.
  ///   - answers: the payloads to try on screens with forms, by the name of the screen.
  ///   - childResults: the results of other programs' flows, by flow.
  ///   - passes: the passes to run after the walk.
  public init(
    command: [String], oldCommand: [String]? = nil, flows: [String] = [], seed: UInt64 = 1, maxStates: Int = 80,
    patience: Duration = .seconds(10), inputs: [String: [String: JSONValue]] = [:],
    answers: [String: [[String: JSONValue]]] = [:], childResults: [String: [String: JSONValue]] = [:],
    passes: Set<TrialPass> = Set(TrialPass.allCases)
  ) {
    (self.command, self.oldCommand, self.flows, self.seed) = (command, oldCommand, flows, seed)
    (self.maxStates, self.patience, self.passes) = (maxStates, patience, passes)
    (self.inputs, self.answers, self.childResults) = (inputs, answers, childResults)
  }
}
