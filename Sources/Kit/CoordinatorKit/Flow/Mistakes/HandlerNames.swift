/// The names of the handlers that a coordinator may leave out. The compiler reports the absence of the others.
enum HandlerNames {
  private static let handlers = [
    "allowsBack": ["(from:)"], "childEmitted": ["(_:)"], "childEnded": ["(_:outcome:)"], "migrate": ["(_:from:)"],
    "receive": ["(_:on:)", "(_:from:)", "(_:)"], "secretsLost": ["(_:)"], "wentBack": ["(from:)"],
    "workInterrupted": ["(_:)"],
  ]

  /// Returns which methods of a coordinator look like handlers, but are none.
  ///
  /// A method that shares only the name with a handler may be a helper of it. It is reported if the handler itself is
  /// missing; a `receive` also if it takes an event.
  ///
  /// - Parameter methods: the methods that the coordinator declares; see `DeclaredMethods`.
  /// - Returns: the mistakes.
  static func mistakes(in methods: [String]) -> [FlowMistake] {
    let methods = methods.compactMap(Method.init)
    return handlers.sorted { $0.key < $1.key }.flatMap { name, labels in
      let candidates = methods.filter { $0.name == name }
      let wrong = candidates.filter { $0.isAsync || !labels.contains($0.labels) }
      let hasHandler = wrong.count < candidates.count
      return wrong.filter { !hasHandler || $0.takesEvent }.map { method in
        let called = name + method.labels
        return FlowMistake.neverCalled(method.isAsync ? "async " + called : called, handlers: labels.map { name + $0 })
      }
    }
  }
}

/// A method, read from the words of the demangler.
private struct Method {
  let name: String
  /// The labels of the parameters, as in `(_:on:)`.
  let labels: String
  let isAsync: Bool
  let takesEvent: Bool

  init?(_ text: String) {
    guard let open = text.firstIndex(of: "(") else { return nil }
    name = String(text[..<open])
    guard !name.contains(where: { ".<".contains($0) }) else { return nil }
    var depth = 0
    var parameters: [Substring] = []
    var start = text.index(after: open)
    var end = start
    search: for index in text.indices[open...] {
      switch text[index] {
      case "(", "<", "[": depth += 1
      // The `>` of an arrow closes nothing.
      case ">" where text[text.index(before: index)] == "-": break
      case ")", ">", "]":
        depth -= 1
        guard depth == 0 else { break }
        if start < index { parameters.append(text[start..<index]) }
        end = index
        break search
      case "," where depth == 1:
        parameters.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    labels = "(" + parameters.map { Self.label(of: $0.drop { $0 == " " }) + ":" }.joined() + ")"
    isAsync = text[end...].hasPrefix(") async")
    takesEvent = parameters.first?.hasSuffix("CoordinatorKit.Event") ?? false
  }

  /// Returns the label of a parameter. The demangler leaves out that of a single one that has none.
  private static func label(of parameter: Substring) -> String {
    let label = parameter.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return parameter[label.endIndex...].hasPrefix(": ") ? String(label) : "_"
  }
}
