import CoordinatorAnswers

extension ControlTool {
  /// What `answer` is told on its command line.
  public struct AnswerOptions: Sendable, Hashable {
    /// The file; `-` for standard input.
    public var path: String
    /// More input, which goes before that of the file.
    public var input: [Assignment]
    /// The flow tree to play on in; nil to start a flow.
    public var tree: String?
    /// The token of the flow that is started; without one it is dismissed when it is not played to its end.
    public var token: String?
    /// What to do where an answer is missing; goes before what the file says.
    public var missing: MissingPolicy?
    /// Whether answers that were not asked for are an error.
    public var isStrict: Bool
    /// After how many microseconds to give up.
    public var limit: UInt64?
    /// For how many microseconds to wait for an item that is not in its list.
    public var patience: UInt64
    /// Whether only to find out if the file is right.
    public var isCheck: Bool

    /// Options with every part given.
    public init(
      path: String, input: [Assignment] = [], tree: String? = nil, token: String? = nil, missing: MissingPolicy? = nil,
      isStrict: Bool = false, limit: UInt64? = nil, patience: UInt64 = 30_000_000, isCheck: Bool = false
    ) {
      self.path = path
      self.input = input
      self.tree = tree
      self.token = token
      self.missing = missing
      self.isStrict = isStrict
      self.limit = limit
      self.patience = patience
      self.isCheck = isCheck
    }
  }
}
