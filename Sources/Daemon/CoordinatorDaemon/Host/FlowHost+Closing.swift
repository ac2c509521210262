/// Ends flows whose deadline has passed, or whose caller has left.
extension FlowHost {
  /// Ends a flow, in turn with the other events for which no caller waits.
  ///
  /// - Parameters:
  ///   - name: the name of the flow's root.
  ///   - isTimeout: whether the deadline of the flow has passed.
  func close(_ name: String, isTimeout: Bool) { roots.live[name]?.tree.closeInTurn(isTimeout: isTimeout) }
}
