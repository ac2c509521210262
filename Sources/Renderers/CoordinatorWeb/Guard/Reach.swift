/// What the session of a browser may see of what the server shows.
enum Reach: Sendable, Hashable {
  /// As much as the server shows.
  case everything
  /// The flow trees that its codes were for, the newest last.
  case trees([String])

  /// The maximum number of trees; beyond it, the oldest is dropped.
  static let mostTrees = 8

  /// What a code gives to a browser.
  ///
  /// - Parameter tree: flow tree that the code was for; nil for a code for everything.
  init(codeFor tree: String?) { self = tree.map { .trees([$0]) } ?? .everything }

  /// The tree that the browser was let into last; nil if it was let into everything.
  var tree: String? { if case .trees(let trees) = self { trees.last } else { nil } }

  /// Whether a tree is within reach; nil if the server alone decides it.
  func allows(_ tree: String) -> Bool? { if case .trees(let trees) = self { trees.contains(tree) } else { nil } }

  /// Extends it by what another code gives. It never becomes less, but for the oldest trees.
  mutating func extend(by tree: String?) {
    guard case .trees(let trees) = self else { return }
    guard let tree else { return self = .everything }
    self = .trees((trees.filter { $0 != tree } + [tree]).suffix(Self.mostTrees))
  }
}
