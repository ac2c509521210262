import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

/// The object that starts flows.
struct ManagerObject: ContractObject {
  let host: FlowHost

  var interfaces: [InterfaceDescription] { [Contract.manager] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    guard let value = host.enter({ $0.manager.property(name) }) else { throw .unknownProperty("no property \(name)") }
    return value
  }

  func handle(_ call: IncomingCall) {
    host.enter { parts in
      switch call.member {
      case "StartFlow": parts.starts.start(call, answerWhen: .started)
      case "RunFlow": parts.starts.start(call, answerWhen: .ended)
      case "GetOutcome": parts.manager.outcome(call)
      case "GetEnding": parts.manager.ending(call)
      case "ListActive": parts.manager.listActive(call)
      case "ListEnded": parts.manager.listEnded(call)
      case "RetryHeld": parts.heldTrees.retry(call)
      case "Forget": parts.manager.forget(call)
      case "ListFlows": parts.manager.listFlows(call)
      case "ListFlowsAfter": parts.manager.listFlowsAfter(call)
      case "RegisterFlows": parts.providerCalls.registerFlows(call)
      case "UnregisterFlows": parts.providerCalls.unregisterFlows(call)
      case "EndWork": parts.workCalls.endWork(call)
      case "ReportWork": parts.workCalls.reportWork(call)
      case "ReadState": parts.providerCalls.readState(call)
      case "ListProviders": parts.providerCalls.listProviders(call)
      default: call.fail(.unknownMethod("no method \(call.member)"))
      }
    }
  }
}

/// The object of a coordinator.
struct CoordinatorObject: ContractObject {
  let host: FlowHost
  let path: CoordinatorPath

  var interfaces: [InterfaceDescription] { [Contract.coordinator] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    guard let value = host.assumeIsolated({ $0.hostedRoot(of: path)?.property(name, of: path) }) else {
      throw .unknownProperty("no property \(name)")
    }
    return value
  }

  func handle(_ call: IncomingCall) {
    if call.member == "MayAnswer" { return host.enter { $0.access.mayAnswer(call, path) } }
    host.assumeIsolated { $0.post(call, to: path) }
  }
}

/// An object of the contract. Accepts more types than its interfaces declare, because some tools can send nothing else: any
/// integer type, and `a{ss}` for `a{sv}`. The values are checked where they are read.
protocol ContractObject: ExportedObject {}

extension ContractObject {
  func accepts(_ method: MethodDescription, arguments signature: String) -> Bool {
    if signature == method.inputSignature { return true }
    guard let given = try? Signature(signature).types, given.count == method.inputs.count else { return false }
    return zip(method.inputs.flatMap(\.type.types), given).allSatisfy { $0.takes($1) }
  }
}

extension SingleType {
  private static let vardict = SingleType.dictionary(key: .string, value: .variant)
  private static let textDictionary = SingleType.dictionary(key: .string, value: .string)

  fileprivate func takes(_ given: SingleType) -> Bool {
    self == given || (isInteger && given.isInteger) || (self == Self.vardict && given == Self.textDictionary)
  }

  private var isInteger: Bool {
    switch self {
    case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64: true
    default: false
    }
  }
}

/// Looks up objects on the bus in the registry, according to the last published state.
extension RootRegistry {
  /// An object on the bus.
  enum FoundObject: Sendable, Hashable {
    case manager
    /// The router of a root.
    case router(CoordinatorPath)
    case coordinator(CoordinatorPath)
  }

  /// Returns the object at a path; nil if there is none.
  func object(at path: ObjectPath) -> FoundObject? {
    if path == Contract.rootPath { return .manager }
    guard let coordinator = CoordinatorPath(objectPath: path), let root = hosted(String(coordinator.root)) else { return nil }
    if coordinator.isRouter { return .router(root.path) }
    return root.coordinator(at: coordinator) == nil ? nil : .coordinator(coordinator)
  }

  /// Returns the last path elements of the objects directly below a path.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - hidden: the flows whose trees are left out.
  /// - Returns: the elements.
  func names(below path: ObjectPath, hiding hidden: Set<String> = []) -> [String] {
    if path == Contract.rootPath { return activeCount == 0 ? [] : Contract.flowsPath.elements.suffix(1).map(String.init) }
    if path == Contract.flowsPath {
      return (live.keys + held.all.map(\.name)).filter { !isHidden($0, hidden) }.sorted()
    }
    guard let coordinator = CoordinatorPath(objectPath: path), let root = hosted(String(coordinator.root)) else { return [] }
    let children = root.names(below: coordinator)
    return coordinator.depth == 1 ? children + [Contract.routerElement] : children
  }

  private func isHidden(_ name: String, _ hidden: Set<String>) -> Bool {
    !hidden.isEmpty && hosted(name).map { hidden.contains($0.flow) } == true
  }

  /// The paths of all objects: trees in the order in which they were started, and the manager last.
  var objectPaths: [ObjectPath] { objectPaths(hiding: []) }

  /// Returns the paths of all objects, except those of the trees of some flows.
  func objectPaths(hiding hidden: Set<String>) -> [ObjectPath] {
    active.inOrder.filter { !hidden.contains($0.flow) }.flatMap { root in
      [root.path.objectPath, root.path.routerPath] + root.paths.dropFirst().map(\.objectPath)
    } + [Contract.rootPath]
  }
}

/// Reads the registry for the manager's methods.
extension RootRegistry {
  /// The approximate size of the rows of `ListActive`, in bytes.
  var activeRowsSize: Int { activeCount * 100 }

  /// Returns the rows of `ListEnded`, oldest first, except those of some flows.
  func endedRows(hiding hidden: Set<String>) -> Value {
    let rows = ended.newest(1000).filter { !hidden.contains($0.flow) }.map { root in
      Value.structure([
        .objectPath(root.path.objectPath), .string(root.flow), .string(root.hasToken ? String(root.path.root) : ""),
        .string(root.outcome.outcome.name),
      ])
    }
    return .array(of: .structure([.objectPath, .string, .string, .string]), rows)
  }

  /// The reply of `GetOutcome` about a coordinator.
  enum KnownOutcome: Sendable, Hashable {
    case active
    case ended(ToldOutcome)
  }

  /// Returns the known outcome of a coordinator.
  ///
  /// - Parameter path: the path of the coordinator.
  /// - Returns: the outcome, or that the coordinator is active; nil if nothing is known about the coordinator.
  /// - Throws: `Held` if the coordinator may be in a part of a held tree that cannot be read.
  func outcome(of path: CoordinatorPath) throws(DBusError) -> KnownOutcome? {
    let name = String(path.root)
    if let root = hosted(name) {
      if root.coordinator(at: path) != nil { return .active }
      if let outcome = root.outcome(of: path) { return .ended(ToldOutcome(outcome: outcome)) }
      guard root.held.isEmpty else { throw .held(root.held) }
      return nil
    }
    guard let ended = ended[name], ended.path == path else { return nil }
    return .ended(ended.outcome)
  }
}

/// The object of a flow tree's router, which lists the screens.
struct RouterObject: ContractObject {
  let host: FlowHost
  let root: CoordinatorPath

  var interfaces: [InterfaceDescription] { [Contract.router] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    let value = host.assumeIsolated { host in
      // Renderers read the screens most of the time; a live tree is found with fewer copies.
      name == "Screens" ? host.liveRoot(of: root)?.screens ?? .vardicts([]) : host.hostedRoot(of: root)?.routerProperty(name)
    }
    guard let value else { throw .unknownProperty("no property \(name)") }
    return value
  }

  func largeProperty(_ name: String, of interface: String) -> LargeProperty? {
    name == "Screens" ? host.assumeIsolated { $0.liveRoot(of: root)?.largeScreens } : nil
  }

  func handle(_ call: IncomingCall) {
    switch call.member {
    case "Attach": host.enter { $0.attachments.attach(call, to: root) }
    case "Detach": host.enter { $0.attachments.detach(call, from: root) }
    case "Back", "SaveDraft", "ProposeLanguage": host.assumeIsolated { $0.post(call, to: root) }
    default: call.fail(.unknownMethod("no method \(call.member)"))
    }
  }
}

/// The properties of a tree's objects, as last published.
extension HostedRoot {
  /// Returns a property of a coordinator; nil if the coordinator or the property does not exist.
  func property(_ name: String, of path: CoordinatorPath) -> Value? {
    guard let coordinator = coordinator(at: path) else { return nil }
    return switch name {
    case "Flow": .string(coordinator.flow)
    case "Parent": .objectPath(path.parent?.objectPath ?? .root)
    case "Children": .objectPaths(coordinator.children.map(\.objectPath))
    case "Router": .objectPath(path.routerPath)
    case "Screens": .array(of: .uint64, screens(of: path).map { .uint64($0.number) })
    case "StartedAt": .uint64(coordinator.startedAt)
    case "Held": .string(held(of: path))
    default: nil
    }
  }

  /// Returns a property of the tree's router; nil if it does not exist.
  func routerProperty(_ name: String) -> Value? {
    switch name {
    case "Coordinator": .objectPath(path.objectPath)
    case "Revision": .uint64(revision)
    case "Screens": screens
    case "Language": .string(language)
    case "LastTransition": last?.value ?? .vardict([:])
    case "Renderers":
      .vardicts(clients.renderers.sorted { $0.key < $1.key }.map { $0.value.vardict(client: $0.key) })
    default: nil
    }
  }

  /// The last transition of the tree; nil if it is not known.
  private var last: LastTransition? {
    switch self {
    case .live(let root): root.last
    case .held(let root): root.last
    }
  }

  /// The screens of the tree, bottom first, with their latest progress. A held tree shows none.
  var screens: Value { live?.screens ?? .vardicts([]) }

  /// The language of the screens, by BCP 47; "" if the tree is held.
  private var language: String { live.map { $0.state.language?.bcp47 ?? "en" } ?? "" }

  /// The answer to `Attach`: the revision and the screens of the tree.
  var attachAnswer: [Value] { [.uint64(revision), screens] }

  /// The tree, if it is live.
  var live: LiveRoot? { if case .live(let root) = self { root } else { nil } }
}

extension LiveRoot {
  /// The screens of the tree, bottom first, with their latest progress.
  var screens: Value {
    .array(
      of: .dictionary(key: .string, value: .variant), state.window.screens.map { $0.value(progress: progress[$0.id]) })
  }

  /// The closure that makes ``screens`` on another thread; nil if they are small enough to be made immediately.
  var largeScreens: LargeProperty? {
    guard state.window.isLarger(than: LargeAnswer.size) else { return nil }
    return LargeProperty(stamp: stamp) { screens }
  }
}
