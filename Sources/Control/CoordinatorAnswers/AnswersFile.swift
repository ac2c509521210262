/// The answers for an unattended flow. They are keyed by the names of flows, screens and fields, never by displayed
/// text.
public struct AnswersFile: Sendable, Hashable {
  /// The answers to a screen, in the order in which the screen appears.
  public struct Screen: Sendable, Hashable {
    /// The name of the screen.
    public var name: String
    /// The answers. Each is used once, except ``ScreenAnswer/repeated(_:)``, which must be the only one.
    public var answers: [ScreenAnswer]
    /// Whether the answers are written as a list, even if there is only one.
    public var isList: Bool
    /// The comment next to the answers.
    public var note: String?

    /// Creates the answers to a screen.
    public init(_ name: String, _ answers: [ScreenAnswer], isList: Bool? = nil, note: String? = nil) {
      self.name = name
      self.answers = answers
      self.isList = isList ?? (answers.count != 1)
      self.note = note
    }
  }

  /// The answers to the screens of a flow.
  public struct Flow: Sendable, Hashable {
    /// The name of the flow, or a path of flow names that ends with it: `pets/schedule-visit`.
    public var name: String
    /// The answers to the flow's screens: one element for each coordinator of the flow, in the order in which they ask,
    /// or a single element that all of them share.
    public var coordinators: [[Screen]]
    /// Whether the answers are written as a list with one element for each coordinator.
    public var isList: Bool

    /// Creates the answers to the screens of a flow.
    public init(_ name: String, _ coordinators: [[Screen]], isList: Bool? = nil) {
      self.name = name
      self.coordinators = coordinators
      self.isList = isList ?? (coordinators.count != 1)
    }
  }

  /// The flow to start; nil if the file is for flow trees that are already running.
  public var flow: String?
  /// The input of the flow, by key.
  public var input: [String: AnswerValue]
  /// What to do when an answer is missing; nil leaves it to the command line.
  public var missing: MissingPolicy?
  /// The answers, by flow.
  public var flows: [Flow]

  /// Creates a file with the given contents.
  public init(
    flow: String? = nil, input: [String: AnswerValue] = [:], missing: MissingPolicy? = nil, flows: [Flow] = []
  ) {
    self.flow = flow
    self.input = input
    self.missing = missing
    self.flows = flows
  }
}
