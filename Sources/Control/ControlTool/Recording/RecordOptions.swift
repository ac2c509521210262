import RendererKit

/// The options of the `record` command.
public struct RecordOptions: Sendable, Hashable {
  /// A flow tree or a flow; nil for the only active tree.
  public var target: String?
  /// The input of a flow that is started.
  public var input: [Assignment]
  /// The token of a flow that is started.
  public var token: String?
  /// The path of the file to write; nil for the tool's output.
  public var path: String?
  /// Whether to only observe while other renderers answer.
  public var isOnlooker: Bool

  /// Creates options with the given values.
  public init(
    target: String?, input: [Assignment] = [], token: String? = nil, path: String? = nil, isOnlooker: Bool = false
  ) {
    self.target = target
    self.input = input
    self.token = token
    self.path = path
    self.isOnlooker = isOnlooker
  }
}
