import CoordinatorKit

extension Screen {
  /// The action that takes what is filled in.
  package var submission: Action? { actions.first { $0.role == .primary } }

  /// Whether the screen is a form that can be sent now.
  package var isFillable: Bool { form?.fields.isEmpty == false && submission != nil }
}
