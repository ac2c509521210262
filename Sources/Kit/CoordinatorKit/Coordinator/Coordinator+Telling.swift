/// What living coordinators tell each other (rule 1).
extension Coordinator {
  /// Tells the parent a value, and stays alive.
  ///
  /// ``childEmitted(_:)`` of the parent runs in the same transition, after this handler has returned, in the order in
  /// which values were emitted and messages were sent. A value for a parent that ends in the same transition is
  /// dropped, and so is that of a root, which has no parent. Values do not bubble. If the parent throws a ``Refusal``,
  /// what this handler changed is dropped as well. More than ``Limits/maxHandlers`` deliveries in one transition are
  /// refused. Call it in a handler; elsewhere it has no effect.
  ///
  /// Use it for a step of a wizard: the parent goes on, and Back leads into the child that has done its job.
  ///
  /// ```swift
  /// emit(.chosen(network: try event.selection))
  /// ```
  ///
  /// - Parameters:
  ///   - output: the value.
  ///   - secrets: secrets for the parent, by name; see ``passedSecret(_:)``. They are never stored.
  public func emit(_ output: Output, secrets: [String: Secret] = [:]) {
    context.change { $0.emit(output, secrets: secrets, from: $1) }
    context.record(secrets) { .emit(JSONValue(of: output) ?? .object([:]), secrets: $2) }
  }

  /// Sends a message to a child.
  ///
  /// ``parentSent(_:)`` of the child runs in the same transition, after this handler has returned, and after `start()`
  /// of a child that was just started. A message for a child that has ended, or ends in the same transition, is
  /// dropped.
  ///
  /// ```swift
  /// for child in children where child.isInstance(of: Page.self) { try send(.turn, to: child, of: Page.self) }
  /// ```
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - child: one of ``children``; for any other value, nothing is sent.
  ///   - type: the coordinator type whose flow the child runs.
  ///   - secrets: secrets for the child, by name; see ``passedSecret(_:)``. They are never stored.
  /// - Throws: ``WrongChild`` if the child runs another flow. Unless it is caught, it fails the coordinator.
  public func send<C: Coordinator>(
    _ message: C.Message, to child: Child, of type: C.Type, secrets: [String: Secret] = [:]
  ) throws {
    guard child.isInstance(of: type) else { throw WrongChild(expected: C.flow.name, actual: child.flow) }
    context.record(secrets) { transition, path, names in
      guard transition.hasChild(child.path, of: path) else { return nil }
      return .send(JSONValue(of: message) ?? .object([:]), child: child.path.text, secrets: names)
    }
    context.change { $0.send(message, secrets: secrets, to: child.path, from: $1) }
  }
}

/// A coordinator sent a message to a child of another flow.
public struct WrongChild: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the flow that takes the message.
  public let expected: String
  /// The name of the flow that the child runs.
  public let actual: String

  /// One line for people.
  public var description: String { "a message for the flow \(expected) was sent to a child that runs \(actual)" }
}
