import CoordinatorAnswers
import RendererKit

/// The options of the `answer` command.
public struct AnswerOptions: Sendable, Hashable {
  /// The path of the answers file; `-` for standard input.
  public var path: String
  /// Additional input, which overrides that of the file.
  public var input: [Assignment]
  /// The flow tree to continue; nil to start a flow.
  public var tree: String?
  /// The token of the flow to start. A flow without a token is dismissed if the run stops before its end.
  public var token: String?
  /// Whether to start the flow again if the flow of the token has ended.
  public var isFresh: Bool
  /// What to do when an answer is missing; overrides the file.
  public var missing: MissingPolicy?
  /// Whether unused answers are an error.
  public var isStrict: Bool
  /// The timeout of the run, in microseconds; nil for none.
  public var limit: UInt64?
  /// The time to wait for an item that is not in its list yet, in microseconds.
  public var patience: UInt64
  /// Whether to check the file only.
  public var isCheck: Bool

  /// Creates options with the given values.
  public init(
    path: String, input: [Assignment] = [], tree: String? = nil, token: String? = nil, isFresh: Bool = false,
    missing: MissingPolicy? = nil, isStrict: Bool = false, limit: UInt64? = nil, patience: UInt64 = 30_000_000,
    isCheck: Bool = false
  ) {
    self.path = path
    self.input = input
    self.tree = tree
    self.token = token
    self.isFresh = isFresh
    self.missing = missing
    self.isStrict = isStrict
    self.limit = limit
    self.patience = patience
    self.isCheck = isCheck
  }
}
