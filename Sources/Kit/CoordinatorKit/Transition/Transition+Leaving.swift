extension Transition {
  /// Returns whether Back may remove a screen of a child: not the lowest one of a tree that cannot be left.
  func mayLeave(_ id: ScreenID) -> Bool {
    guard window.screens.first?.id == id, let root = after.coordinators[after.root] else { return true }
    return catalogue[root.flow]?.description.canBeLeft != false
  }
}
