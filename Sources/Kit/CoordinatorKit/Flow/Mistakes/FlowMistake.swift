import Platform

/// A mistake in the declaration of a coordinator that the compiler accepts.
public enum FlowMistake: Error, Sendable, Hashable, CustomStringConvertible {
  /// The actor has a stored property that can change. The runtime can neither roll it back nor restore it.
  case storedVariable(String)
  /// The actor has a method that looks like a handler, but is not one, because its labels differ or it is `async`.
  case neverCalled(String, handlers: [String])

  /// Says what is wrong, and what to do.
  public var description: String {
    switch self {
    case .storedVariable(let name) where name.utf8.first == UInt8(ascii: "_"):
      "the property \(Substring(name.utf8.dropFirst())) has a wrapper, whose value can change, but is neither rolled back nor "
        + "restored: move it to State, or use let without a wrapper"
    case .storedVariable(let name):
      "the stored property \(name) can change, but is neither rolled back nor restored: move it to State, or use let"
    case .neverCalled(let method, let handlers):
      "\(method) is never called: the handler is \(handlers.joined(separator: " or ")) (a helper needs another name)"
    }
  }
}

extension FlowMistake {
  /// Returns the mistakes in the declaration of a coordinator.
  ///
  /// Handlers are checked in debug builds only, whose symbol tables have the names of all methods.
  ///
  /// - Parameter type: the type of the coordinator.
  /// - Returns: the mistakes, in the order of the declaration.
  static func all<C: Coordinator>(in type: C.Type) -> [FlowMistake] {
    found.withLock { found in
      let key = ObjectIdentifier(type)
      if let known = found[key] { return known }
      var mistakes = StoredProperties.variables(of: type).map(FlowMistake.storedVariable)
      #if DEBUG
        mistakes += HandlerNames.mistakes(in: DeclaredMethods.of(type))
      #endif
      found[key] = mistakes
      return mistakes
    }
  }

  /// Tests register the same flow many times.
  private static let found = Lock<[ObjectIdentifier: [FlowMistake]]>([:])
}
