/// A coordinator's place in its flow tree: the names from the root down, such as `pets_1/schedule_visit_1`.
///
/// Names consist of `[A-Za-z0-9_]`, so that a path can be used as the end of a D-Bus object path.
public struct CoordinatorPath: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The names from the root down, separated by `/`.
  public let text: String

  private static let slash = UInt8(ascii: "/")

  /// Creates the path of a root coordinator.
  public init(root name: String) { text = name }

  /// Creates a path from its string representation, without checking it.
  package init(text: String) { self.text = text }

  /// Returns the path of a child with the given name.
  public func child(_ name: String) -> CoordinatorPath { CoordinatorPath(text: text + "/" + name) }

  /// Creates a path from the names from the root down; nil if there are none.
  public init?(names: some Collection<some StringProtocol>) {
    guard !names.isEmpty else { return nil }
    text = names.joined(separator: "/")
  }

  /// The name of the root coordinator.
  public var root: Substring { text.utf8.firstIndex(of: Self.slash).map { text[..<$0] } ?? text[...] }

  /// The last name.
  public var name: Substring { text.utf8.lastIndex(of: Self.slash).map { text[text.utf8.index(after: $0)...] } ?? text[...] }

  /// The path of the parent; nil for a root.
  public var parent: CoordinatorPath? {
    text.utf8.lastIndex(of: Self.slash).map { CoordinatorPath(text: String(text[..<$0])) }
  }

  /// The depth in coordinators; 1 for a root.
  public var depth: Int { text.utf8.reduce(1) { $1 == Self.slash ? $0 + 1 : $0 } }

  /// Returns whether this coordinator is an ancestor of the other.
  public func isAncestor(of other: CoordinatorPath) -> Bool {
    let own = text.utf8
    let others = other.text.utf8
    guard others.count > own.count, others.starts(with: own) else { return false }
    return others[others.index(others.startIndex, offsetBy: own.count)] == Self.slash
  }

  /// The names from the root down, separated by `/`.
  public var description: String { text }
}
