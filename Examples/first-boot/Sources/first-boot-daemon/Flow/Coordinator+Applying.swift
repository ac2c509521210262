import CoordinatorKit

extension Coordinator {
  /// Applies some steps in a child flow, ``Applying``, which ends with their results.
  func applyOnly(_ steps: [SetupStep], of answers: Answers, secrets: [SetupStep: Secret]) throws {
    guard let child = try startChild(Applying.self) else { return }
    let named = Dictionary(uniqueKeysWithValues: secrets.map { ($0.key.rawValue, $0.value) })
    try send(Applying.Message(steps: steps, answers: answers), to: child, of: Applying.self, secrets: named)
  }
}

extension [SetupStep: StepResult] {
  /// The reason why the first failed step was not applied; nil if all were.
  var problem: Text? {
    for step in SetupStep.allCases {
      switch self[step] {
      case .failed(let reason): return reason
      case .needsSecret: return .secretLost
      case .applied, .wasSo, nil: continue
      }
    }
    return nil
  }
}

extension Text {
  static let secretLost: Text = "This machine was restarted. Please type the secret again."
}
