import CoordinatorKit

extension TreeCall {
  /// Returns whether the call may contain the value of a secret field, even if it is refused because the screen is
  /// gone.
  ///
  /// - Parameter state: the last published state of the tree; nil if it is not known.
  /// - Returns: whether it may.
  func mayHoldSecret(for state: TreeState?) -> Bool {
    switch self {
    case .delegate(_, let id, _, let payload, _): Self.mayHoldSecret(payload, of: id, in: state)
    // Secret values in a draft are refused, but they have been sent.
    case .saveDraft(let id, let values): Self.mayHoldSecret(values, of: id, in: state)
    case .back, .dismiss, .startChild: false
    }
  }

  private static func mayHoldSecret(_ values: [String: JSONValue], of id: ScreenID?, in state: TreeState?) -> Bool {
    guard !values.isEmpty else { return false }
    guard let id, let screen = state?.window[id] else { return true }
    return screen.content.form?.schema.secretFields.isEmpty == false
  }
}
