/// How a child of a known type ended: its outcome with the typed result.
public enum ChildEnd<Result: Sendable>: Sendable {
  /// The child reached its goal.
  case finished(Result)
  /// The user left the child, or it was dismissed.
  case cancelled
  /// The child could not continue.
  case failed(Failure)
}

extension Child {
  /// Returns how the child ended, if it ran the flow of the given type.
  ///
  /// ```swift
  /// func childEnded(_ child: Child, outcome: Outcome) throws {
  ///   switch try child.end(of: LogIn.self, outcome) {
  ///   case .finished(let account): router.present(.welcome(account.name))
  ///   case .cancelled, .failed: cancel()
  ///   case nil: break  // a child that a client has started
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the coordinator type whose flow the child may have run.
  ///   - outcome: the outcome that was passed to ``Coordinator/childEnded(_:outcome:)``.
  /// - Returns: the end, or nil if the child ran another flow.
  /// - Throws: `DecodingError` if the result cannot be decoded, because the child passed on the outcome of another flow
  ///   with ``Coordinator/end(as:)``.
  public func end<C: Coordinator>(of type: C.Type, _ outcome: Outcome) throws -> ChildEnd<C.Result>? {
    guard isInstance(of: type) else { return nil }
    return switch outcome {
    case .finished(let result): .finished(try JSONValue.object(result).decoded(as: C.Result.self))
    case .cancelled: .cancelled
    case .failed(let failure): .failed(failure)
    }
  }
}
