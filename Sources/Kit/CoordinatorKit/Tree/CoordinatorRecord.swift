/// What the runtime knows of one live coordinator.
public struct CoordinatorRecord: Sendable {
  /// What it is, in one place on the heap: the table of a tree's coordinators is copied with each transition, however many there are.
  ///
  /// `@unchecked Sendable`, because the fields change only where ``CoordinatorRecord/change()`` has found that nobody else refers to them.
  private final class Storage: @unchecked Sendable {
    // That nobody else refers to them is found anyway, so it need not be watched over at run time.
    @exclusivity(unchecked) var fields: Fields
    init(_ fields: Fields) { self.fields = fields }
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
  }

  private var storage: Storage

  /// A coordinator without children.
  init(
    path: CoordinatorPath, flow: String, input: [String: JSONValue], inputSize: Int, router: RouterKind, startedAt: UInt64,
    lastChild: UInt64 = 0, state: any FlowState, work: [WorkRecord] = []
  ) {
    storage = Storage(
      Fields(
        path: path, flow: flow, input: input, inputSize: inputSize, router: router, startedAt: startedAt, lastChild: lastChild,
        state: state, work: work))
  }

  private mutating func change() -> Storage {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
    return storage
  }

  /// Where it stands in its flow tree.
  public var path: CoordinatorPath { storage.fields.path }
  /// The name of its flow.
  public var flow: String { storage.fields.flow }
  /// What it was started with.
  public var input: [String: JSONValue] { storage.fields.input }
  /// About how many bytes of memory the input takes up.
  var inputSize: Int { storage.fields.inputSize }
  /// How it puts up its screens.
  public var router: RouterKind { storage.fields.router }
  /// When it was started, in microseconds since 1970.
  public var startedAt: UInt64 { storage.fields.startedAt }

  /// Its children, in the order in which they were started.
  public internal(set) var children: [CoordinatorPath] {
    get { storage.fields.children }
    _modify { yield &change().fields.children }
  }
  /// The highest number that a child was named by; never used twice.
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

  var child: Child { Child(path: path, flow: flow, input: input) }
}
