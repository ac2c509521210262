/// What a flow is answered with when nobody is there: keyed by flow, screen and field, never by what people read.
public struct AnswersFile: Sendable, Hashable {
  /// The answers to one screen, in the order in which it comes.
  public struct Screen: Sendable, Hashable {
    /// The name of the screen.
    public var name: String
    /// Each is used once; one that is ``ScreenAnswer/repeated(_:)`` stands alone.
    public var answers: [ScreenAnswer]
    /// Whether they are written as a list, even if there is just one.
    public var isList: Bool
    /// What is written beside them for people.
    public var note: String?

    /// The answers to one screen.
    public init(_ name: String, _ answers: [ScreenAnswer], isList: Bool? = nil, note: String? = nil) {
      self.name = name
      self.answers = answers
      self.isList = isList ?? (answers.count != 1)
      self.note = note
    }
  }

  /// The answers to the screens of one flow.
  public struct Flow: Sendable, Hashable {
    /// The flow's name, or the names of coordinators from one above it down to it: `pets/schedule-visit`.
    public var name: String
    /// The answers to its screens; one element for each coordinator of the flow in the order in which they are asked, or
    /// the only one for all of them together.
    public var coordinators: [[Screen]]
    /// Whether they are written as a list: one element for each coordinator.
    public var isList: Bool

    /// The answers to the screens of one flow.
    public init(_ name: String, _ coordinators: [[Screen]], isList: Bool? = nil) {
      self.name = name
      self.coordinators = coordinators
      self.isList = isList ?? (coordinators.count != 1)
    }
  }

  /// The flow to start; nil if the file is for flow trees that run already.
  public var flow: String?
  /// What to start it with, by key.
  public var input: [String: AnswerValue]
  /// What to do where an answer is missing; nil for what the command line says.
  public var missing: MissingPolicy?
  /// The answers.
  public var flows: [Flow]

  /// A file with these contents.
  public init(
    flow: String? = nil, input: [String: AnswerValue] = [:], missing: MissingPolicy? = nil, flows: [Flow] = []
  ) {
    self.flow = flow
    self.input = input
    self.missing = missing
    self.flows = flows
  }
}
