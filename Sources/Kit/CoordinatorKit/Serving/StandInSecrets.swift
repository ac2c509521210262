import Platform

/// Secrets of which only the names are known, because the process that decides must not see them.
extension Secret {
  /// What the stand-in of a secret begins with.
  private static let mark = "\u{1}stands for\u{1}"

  /// Creates a stand-in.
  convenience init(standingFor name: String) { self.init(Self.mark + name) }

  /// The name of the secret that this one stands for; nil if it is a real one.
  var standsFor: String? {
    withString { $0.bytes.dropping(prefix: Self.mark).map { String($0) } }
  }

  /// Returns stand-ins for secrets. Those of equal secrets are equal.
  ///
  /// - Parameters:
  ///   - names: the names of the secrets.
  ///   - prefix: what precedes their names to tell them from others.
  ///   - same: for each secret that equals another one, the name of that.
  /// - Returns: the stand-ins, by name.
  static func standIns(for names: [String], after prefix: String = "", _ same: [String: String]) -> [String: Secret] {
    var result: [String: Secret] = [:]
    for name in names { result[name] = Secret(standingFor: same[prefix + name] ?? prefix + name) }
    return result
  }
}

extension CoordinatorContext {
  /// Records what a handler has done, if another process carries it out.
  func record(_ operation: (Transition, CoordinatorPath) throws -> FlowDecision.Operation?) rethrows {
    guard let scope, scope.transition.recording != nil else { return }
    guard let operation = try operation(scope.transition, scope.path) else { return }
    scope.transition.recording?.append(operation)
  }

  /// Records what a handler has done with secrets, if another process carries it out.
  func record(
    _ secrets: [String: Secret],
    _ operation: (Transition, CoordinatorPath, FlowDecision.SecretNames) throws -> FlowDecision.Operation?
  ) rethrows {
    try record { transition, path in
      var names: FlowDecision.SecretNames = [:]
      for (name, secret) in secrets {
        guard let known = secret.standsFor else {
          scope?.transition.breach = .denied("the secret '\(name)' was made in a handler, which only work may do here")
          return nil
        }
        names[name] = known
      }
      return try operation(transition, path, names)
    }
  }
}

extension Transition {
  /// Returns whether a coordinator has a child that is not about to end.
  func hasChild(_ child: CoordinatorPath, of path: CoordinatorPath) -> Bool { child.parent == path && isAlive(child) }
}
