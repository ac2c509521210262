import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

extension Script.Move {
  /// Whether the move starts work whose end is awaited.
  var isWork: Bool { if case .work = self { true } else { false } }

  /// Returns the call that makes the move.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - window: the window of the tree; nil if it shows none.
  ///   - key: the request key, which makes the call safe to repeat.
  /// - Returns: the call; nil if the screen that it needs is not shown.
  /// - Throws: `MalformedScreen`; `InvalidName`.
  func call(of tree: Script.Tree, in window: WindowSnapshot?, key: String) throws -> MethodCall? {
    let root = try Contract.flowPath(root: tree.token)
    if case .start = self {
      return MethodCall(
        destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "StartFlow",
        arguments: [.string(tree.flow), .vardict([:]), Options(token: tree.token).value])
    }
    guard let top = try window?.screens.last.map({ try PresentedScreen(vardict: $0) }) else { return nil }
    let request = Options(request: key).value
    switch self {
    case .start: return nil
    case .press(let event, let payload), .work(let event, let payload):
      return .coordinator(top.coordinator, "Delegate", [.uint64(top.id), .string(event), try .object(payload), request])
    case .dismiss: return .coordinator(top.coordinator, "Dismiss", [.boolean(true), request])
    case .child(let flow): return .coordinator(top.coordinator, "StartChild", [.string(flow), .vardict([:]), request])
    case .back: return try .router(of: root, "Back", [.uint64(top.id), request])
    case .draft(let values): return try .router(of: root, "SaveDraft", [.uint64(top.id), .object(values), .vardict([:])])
    }
  }
}

extension MethodCall {
  fileprivate static func coordinator(_ path: ObjectPath, _ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: Contract.busName, path: path, interface: Contract.coordinatorInterface, member: member, arguments: arguments)
  }

  fileprivate static func router(of root: ObjectPath, _ member: String, _ arguments: [Value]) throws -> MethodCall {
    MethodCall(
      destination: Contract.busName, path: try Contract.routerPath(of: root), interface: Contract.routerInterface,
      member: member, arguments: arguments)
  }
}
