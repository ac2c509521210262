/// Roughly how many bytes are stored of a coordinator for its provider.
package struct StoredSize: Sendable, Hashable {
  /// Those of the provider's own state.
  package let state: Int
  /// Those of the descriptions of screens.
  package let screens: Int

  /// Creates a size from its parts.
  package init(state: Int, screens: Int) { (self.state, self.screens) = (state, screens) }

  /// Measures a state and screens.
  init(state: String, screens: [String: DescribedScreen]) {
    self.init(state: state.utf8.count, screens: screens.values.reduce(0) { $0 + $1.size })
  }

  /// All of it.
  package var total: Int { state + screens }
}

extension FlowDecision {
  /// How much the decision stores.
  package var storedSize: StoredSize { StoredSize(state: state, screens: screens) }
}
