import CoordinatorBus
import CoordinatorClient
import DBus
import Platform

/// Finds the flow tree that a command-line argument refers to.
public enum TreeSelector {
  /// The reason why no tree was found.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// No flow is running.
    case noneActive
    /// No tree was named, and several are active.
    case several([String])
    /// The name is a prefix of several trees' names.
    case ambiguous(String, [String])
    /// No tree has this name.
    case unknown(String, suggestion: String?)

    /// A description of the error for users; one or more lines.
    public var description: String {
      switch self {
      case .noneActive: "no flow is running; start one with 'coordinatorctl start FLOW'"
      case .several(let names): "several flows are running; name one of them:" + Self.list(names)
      case .ambiguous(let text, let names): "'\(text)' is an ambiguous prefix:" + Self.list(names)
      case .unknown(let text, let suggestion):
        "no running flow is called '\(text)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
      }
    }

    /// The name of the failure for programs.
    var name: String {
      switch self {
      case .noneActive: "NoFlowTree"
      case .several: "SeveralFlowTrees"
      case .ambiguous: "AmbiguousFlowTree"
      case .unknown: "UnknownFlowTree"
      }
    }

    /// The exit code of tools that have one for each cause.
    var cause: ToolExit {
      switch self {
      case .noneActive, .unknown: .unknown
      case .several, .ambiguous: .error
      }
    }

    private static func list(_ names: [String]) -> String {
      let shown = names.prefix(20).map { "\n  \($0)" }.joined()
      return names.count > 20 ? shown + "\n  and \(names.count - 20) more" : shown
    }
  }

  /// Finds a flow tree.
  ///
  /// - Parameters:
  ///   - text: path of the root or of any object below it, name of the root, or unique prefix of such a name; nil if
  ///     the argument was omitted.
  ///   - roots: paths of the active root coordinators.
  /// - Returns: the path of the root coordinator. If `text` is a path, the root need not be active.
  /// - Throws: ``Failure``.
  public static func root(_ text: String?, among roots: [ObjectPath]) throws(Failure) -> ObjectPath {
    guard let text else {
      guard let first = roots.first else { throw .noneActive }
      guard roots.count == 1 else { throw .several(roots.map(name).sorted()) }
      return first
    }
    if let path = try? ObjectPath(text), let root = Contract.root(of: path) { return root }
    if let exact = roots.first(where: { name($0).bytes.equals(text) }) { return exact }
    let matching = roots.filter { name($0).bytes.hasPrefix(text) }
    guard let first = matching.first, !text.isEmpty else {
      throw .unknown(text, suggestion: Suggestion.best(for: text, among: roots.map(name)))
    }
    guard matching.count == 1 else { throw .ambiguous(text, matching.map(name).sorted()) }
    return first
  }

  /// Finds a coordinator, which may be a child.
  ///
  /// - Parameters:
  ///   - text: argument as for ``root(_:among:)``, path of a child, or such a path starting with the root's name:
  ///     `pets_1/schedule_visit_1`.
  ///   - roots: paths of the active root coordinators.
  /// - Returns: the path of the coordinator. If it is a child, it need not exist.
  /// - Throws: ``Failure``.
  public static func coordinator(_ text: String?, among roots: [ObjectPath]) throws(Failure) -> ObjectPath {
    guard let text else { return try root(nil, among: roots) }
    if let path = try? ObjectPath(text), path.isBelow(Contract.flowsPath) { return path }
    guard let (first, rest) = text.bytes.cut(at: "/"), !first.isEmpty else { return try root(text, among: roots) }
    let root = try root(String(first), among: roots)
    guard let path = try? ObjectPath("\(root.string)/\(rest)") else { throw .unknown(text, suggestion: nil) }
    return path
  }

  /// Returns the name of a root coordinator, which is the last element of its path.
  public static func name(_ root: ObjectPath) -> String { root.elements.last.map(String.init) ?? root.string }
}

/// The meaning of `FLOW|TREE` in `coordinator-tui FLOW|TREE`: a flow tree to attach to, or a flow to start.
public enum OpenTarget: Sendable, Hashable {
  /// A flow tree that is active or has ended.
  case attach(ObjectPath)
  /// The name of a flow to start.
  case start(String)

  /// Resolves an argument.
  ///
  /// - Parameters:
  ///   - text: path, name of a root coordinator, name of a flow, or prefix of a root coordinator's name, tried in this
  ///     order; nil if the argument was omitted, which means the only active flow tree.
  ///   - active: paths of the active root coordinators.
  ///   - flows: names of the flows that can be started.
  ///     A name that is neither is taken for a flow: only the daemon knows whether there is one that is not listed yet.
  /// - Throws: ``ToolFailure`` with suggestions.
  public init(_ text: String?, active: [ObjectPath], flows: [String]) throws(ToolFailure) {
    let names = active.map(TreeSelector.name)
    if let text, !text.bytes.hasPrefix("/"), !names.contains(where: text.bytes.equals) {
      if flows.contains(where: text.bytes.equals) || !names.contains(where: { $0.bytes.hasPrefix(text) }) {
        self = .start(text)
        return
      }
    }
    do {
      self = .attach(try TreeSelector.root(text, among: active))
    } catch {
      throw ToolFailure(error)
    }
  }
}
