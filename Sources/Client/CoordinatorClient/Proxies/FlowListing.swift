import CoordinatorKit

/// A flow that can be started.
public struct FlowListing: Sendable, Hashable {
  /// The name that starts the flow.
  public var name: String
  /// The title of the flow, for users.
  public var title: String
  /// A one-sentence description of the flow's purpose.
  public var summary: String
  /// The schema of the flow's input; nil if the daemon's schema cannot be decoded by this version.
  public var input: Schema?
  /// The schema of the flow's result; nil if it declares none.
  public var result: Schema?
  /// The schema of what the flow tells its parent while it lives; nil if it declares none.
  public var output: Schema?
  /// Whether the flow can be played as a rehearsal: doing so changes nothing outside of the flow.
  public var isRehearsable: Bool

  /// Creates a listing from the values that the daemon lists.
  public init(
    name: String, title: String, summary: String, input: Schema?, result: Schema? = nil, output: Schema? = nil,
    isRehearsable: Bool = false
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.input = input
    self.result = result
    self.output = output
    self.isRehearsable = isRehearsable
  }
}
