import Platform

/// What the runtime knows about one live coordinator.
public struct CoordinatorRecord: Sendable {
  /// The fields in a single heap allocation, because each transition copies the dictionary of a tree's coordinators,
  /// regardless of their number.
  ///
  /// `@unchecked Sendable`, because the fields only change after ``CoordinatorRecord/change()`` has verified that this
  /// is the only reference.
  private final class Storage: @unchecked Sendable {
    // Exclusivity is ensured by the uniqueness check, so it need not be enforced at run time.
    @exclusivity(unchecked) var fields: Fields
    init(_ fields: Fields) { self.fields = fields }
  }

  private final class Box: Sendable {
    let belongings: Belongings

    init?(_ belongings: Belongings) {
      if belongings.isEmpty { return nil }
      self.belongings = belongings
    }
  }

  private struct Fields: Sendable {
    let path: CoordinatorPath
    let flow: String
    let input: [String: JSONValue]
    let inputSize: Int
    let router: RouterKind
    let startedAt: UInt64
    var children: [CoordinatorPath] = []
    var lastChild: UInt64
    var state: any FlowState
    var work: [WorkRecord]
    /// Nil if there are none, as for most coordinators.
    var belongings: Box?
    var hold: Hold?
  }

  private var storage: Storage

  /// Creates a coordinator without children.
  init(
    path: CoordinatorPath, flow: String, input: [String: JSONValue], inputSize: Int, router: RouterKind, startedAt: UInt64,
    lastChild: UInt64 = 0, state: any FlowState, work: [WorkRecord] = [], belongings: Belongings = Belongings()
  ) {
    storage = Storage(
      Fields(
        path: path, flow: flow, input: input, inputSize: inputSize, router: router, startedAt: startedAt, lastChild: lastChild,
        state: state, work: work, belongings: Box(belongings)))
  }

  private mutating func change() -> Storage {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
    return storage
  }

  /// The coordinator's place in its flow tree.
  public var path: CoordinatorPath { storage.fields.path }
  /// The name of its flow.
  public var flow: String { storage.fields.flow }
  /// The input that it was started with, by key.
  public var input: [String: JSONValue] { storage.fields.input }
  /// The approximate size of the input in memory, in bytes.
  var inputSize: Int { storage.fields.inputSize }
  /// The router that determines how it presents its screens.
  public var router: RouterKind { storage.fields.router }
  /// The time at which it was started, in microseconds since 1970.
  public var startedAt: UInt64 { storage.fields.startedAt }

  /// Its children, in the order in which they were started.
  public internal(set) var children: [CoordinatorPath] {
    get { storage.fields.children }
    _modify { yield &change().fields.children }
  }
  /// The highest number in the name of a child; never reused.
  var lastChild: UInt64 {
    get { storage.fields.lastChild }
    set { change().fields.lastChild = newValue }
  }
  package internal(set) var state: any FlowState {
    get { storage.fields.state }
    set { change().fields.state = newValue }
  }
  package internal(set) var work: [WorkRecord] {
    get { storage.fields.work }
    _modify { yield &change().fields.work }
  }
  /// Its timers, its secrets, and the values of its forms.
  var belongings: Belongings {
    get { storage.fields.belongings?.belongings ?? .none }
    set { change().fields.belongings = Box(newValue) }
  }
  /// Why it is held; nil if it is not.
  package internal(set) var hold: Hold? {
    get { storage.fields.hold }
    set { change().fields.hold = newValue }
  }
  /// Its timers that have not fired, in the order in which they were started.
  package var timers: [TimerRecord] { belongings.timers }
  /// The names of the secrets that it keeps in memory.
  package var secretNames: Set<String> { Set(belongings.secrets.keys) }
  /// The secrets that it keeps in memory, by name.
  package var secrets: [String: Secret] { belongings.secrets }

  var child: Child { Child(path: path, flow: flow, input: input) }
}

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

extension CoordinatorPath {
  /// The number N in the name FLOW_N, which gives the order in which children were started.
  package var numberInParent: UInt64 {
    name.bytes.cutLast(at: "_").flatMap { UInt64($0.after) } ?? 0
  }
}
