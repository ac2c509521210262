import CoordinatorKit

/// A flow that can be started.
public struct FlowListing: Sendable, Hashable {
  /// What to start it by.
  public var name: String
  /// What people call it.
  public var title: String
  /// What it is for, in a sentence.
  public var summary: String
  /// What its input must look like; nil if the daemon says it in a way that this version does not know.
  public var input: Schema?

  /// A flow with everything that the daemon lists of it.
  public init(name: String, title: String, summary: String, input: Schema?) {
    self.name = name
    self.title = title
    self.summary = summary
    self.input = input
  }
}
