/// A program that serves flows, or the daemon itself.
public struct ProviderListing: Sendable, Hashable {
  /// Its bus name; "" if its file does not contain one.
  public var name: String
  /// The origin of the daemon's knowledge of it: "builtin", "file" or "registered".
  public var origin: String
  /// Its state: "running", "activatable", "away" or "failing".
  public var state: String
  /// Its title, for people; nil if no file contains one.
  public var title: String?
  /// The names of its flows.
  public var flows: [String]
  /// The number of live coordinators of these flows.
  public var live: UInt32
  /// The number of these that are held.
  public var held: UInt32
  /// The problem with it; nil if there is none.
  public var problem: String?
  /// The path of its file; nil if there is none.
  public var file: String?

  /// Creates a listing from the values that the daemon lists.
  public init(
    name: String, origin: String, state: String, title: String? = nil, flows: [String] = [], live: UInt32 = 0,
    held: UInt32 = 0, problem: String? = nil, file: String? = nil
  ) {
    self.name = name
    self.origin = origin
    self.state = state
    self.title = title
    self.flows = flows
    self.live = live
    self.held = held
    self.problem = problem
    self.file = file
  }
}
