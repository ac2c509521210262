import CoordinatorKit

extension Screen {
  /// The action that sends the form.
  package var submission: Action? { actions.first { $0.role == .primary } }

  /// Whether the screen is a form that can currently be sent.
  package var isFillable: Bool { form?.fields.isEmpty == false && submission.map { $0.disabled == nil } == true }
}
