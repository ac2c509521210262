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
  /// Whether it may be played just to try it: nothing outside of it changes by that.
  public var isRehearsable: Bool

  /// A flow with everything that the daemon lists of it.
  public init(name: String, title: String, summary: String, input: Schema?, isRehearsable: Bool = false) {
    self.name = name
    self.title = title
    self.summary = summary
    self.input = input
    self.isRehearsable = isRehearsable
  }
}
