/// The part of the server's flow trees that the session of a browser may see.
enum Reach: Sendable, Hashable {
  /// Everything that the server shows.
  case everything
  /// The flow trees of its codes, the newest last.
  case trees([String])

  /// The maximum number of trees; beyond it, the oldest is dropped.
  static let mostTrees = 8

  /// Creates the reach that a code gives to a browser.
  ///
  /// - Parameter tree: flow tree of the code; nil for a code for everything.
  init(codeFor tree: String?) { self = tree.map { .trees([$0]) } ?? .everything }

  /// The tree that the browser was admitted to last; nil if it was admitted to everything.
  var tree: String? { if case .trees(let trees) = self { trees.last } else { nil } }

  /// Returns whether a tree is within reach; nil if the server alone decides it.
  func allows(_ tree: String) -> Bool? { if case .trees(let trees) = self { trees.contains(tree) } else { nil } }

  /// Extends the reach by that of another code. It never shrinks, except by the oldest trees.
  mutating func extend(by tree: String?) {
    guard case .trees(let trees) = self else { return }
    guard let tree else { return self = .everything }
    self = .trees((trees.filter { $0 != tree } + [tree]).suffix(Self.mostTrees))
  }
}
