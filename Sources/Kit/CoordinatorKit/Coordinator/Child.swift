/// A child coordinator, as its parent sees it.
public struct Child: Sendable, Hashable, Codable {
  /// The child's place in the flow tree. Never reused, so it distinguishes two children that run the same flow.
  public let path: CoordinatorPath
  /// The name of the flow that the child runs.
  public let flow: String
  /// The input that the child was started with, by key.
  package let input: [String: JSONValue]

  /// Returns whether the child runs the flow of a coordinator type.
  ///
  /// Any client may start a child below a coordinator (`StartChild`), so check this before you act on a child.
  ///
  /// ```swift
  /// if child.isInstance(of: LogIn.self), case .finished = outcome { try startChild(ShopMain.self) }
  /// ```
  ///
  /// - Parameter type: the coordinator type to compare with.
  /// - Returns: whether the child runs that coordinator's flow.
  public func isInstance<C: Coordinator>(of type: C.Type) -> Bool { flow == C.flow.name }

  /// Returns the input that the child was started with.
  ///
  /// - Parameter type: the coordinator type whose flow the child runs.
  /// - Returns: the decoded input, or nil if the child runs another flow.
  public func input<C: Coordinator>(of type: C.Type) -> C.Input? {
    isInstance(of: type) ? try? JSONValue.object(input).decoded(as: C.Input.self) : nil
  }
}

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
