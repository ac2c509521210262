/// Ends flows whose time is up, or whose caller has left.
extension FlowHost {
  /// Ends a flow when its turn comes.
  ///
  /// - Parameters:
  ///   - name: the name of its root.
  ///   - isTimeout: whether its time is up.
  func close(_ name: String, isTimeout: Bool) { roots.live[name]?.tree.closeInTurn(isTimeout: isTimeout) }
}
