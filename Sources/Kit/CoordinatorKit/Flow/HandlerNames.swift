import Platform

/// The names of the handlers that a coordinator may leave out. The compiler reports the absence of the others.
enum HandlerNames {
  private struct Handler {
    /// The labels of the parameters.
    let labels: [String]
    /// The end of the name of the first parameter's type.
    let first: String
  }

  private static let handlers = [
    "allowsBack": Handler(labels: ["(from:)"], first: ".Route"),
    "childEmitted": Handler(labels: ["(_:)"], first: "CoordinatorKit.ChildOutput"),
    "childEnded": Handler(labels: ["(_:outcome:)"], first: "CoordinatorKit.Child"),
    "migrate": Handler(labels: ["(_:from:)"], first: "CoordinatorKit.StoredFlow"),
    "receive": Handler(labels: ["(_:on:)", "(_:from:)", "(_:)"], first: "CoordinatorKit.Event"),
    "secretsLost": Handler(labels: ["(_:)"], first: "Set<Swift.String>"),
    "wentBack": Handler(labels: ["(from:)"], first: ".Route"),
    "workInterrupted": Handler(labels: ["(_:)"], first: ".Work"),
  ]

  /// Returns the methods of a coordinator that look like handlers but are not.
  ///
  /// Only methods with the same first parameter as the handler are reported: for `receive`, each method that is not a handler;
  /// for the others, only if the handler itself is missing, because otherwise they may be its helpers.
  ///
  /// - Parameter methods: the methods that the coordinator declares; see `DeclaredMethods`.
  /// - Returns: the mistakes.
  static func mistakes(in methods: [String]) -> [FlowMistake] {
    let methods = methods.compactMap(Method.init)
    return handlers.sorted { $0.key < $1.key }.flatMap { name, handler in
      let labels = handler.labels
      let candidates = methods.filter { $0.name == name && $0.first.bytes.hasSuffix(handler.first) }
      let wrong = candidates.filter { $0.isAsync || !labels.contains($0.labels) }
      guard wrong.count == candidates.count || name == "receive" else { return [FlowMistake]() }
      return wrong.map { method in
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
  /// The first parameter, with its label and its type; "" if there is none.
  let first: Substring

  init?(_ text: String) {
    let bytes = text.utf8
    guard let open = bytes.firstIndex(of: UInt8(ascii: "(")) else { return nil }
    name = String(text[..<open])
    guard !name.utf8.contains(where: { ".<".utf8.contains($0) }) else { return nil }
    var depth = 0
    var parameters: [Substring] = []
    var start = bytes.index(after: open)
    var end = start
    search: for index in bytes.indices[open...] {
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      // The `>` of an arrow does not close a bracket.
      case UInt8(ascii: ">") where bytes[bytes.index(before: index)] == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"):
        depth -= 1
        guard depth == 0 else { break }
        if start < index { parameters.append(text[start..<index]) }
        end = index
        break search
      case UInt8(ascii: ",") where depth == 1:
        parameters.append(text[start..<index])
        start = bytes.index(after: index)
      default: break
      }
    }
    labels = "(" + parameters.map { Self.label(of: $0.bytes.trimmed) + ":" }.joined() + ")"
    isAsync = text[end...].bytes.hasPrefix(") async")
    first = parameters.first ?? ""
  }

  /// Returns the label of a parameter. The demangler omits the label of a single unlabeled parameter.
  private static func label(of parameter: Substring) -> String {
    let label = parameter.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 >= 0x80 }
    return parameter[label.endIndex...].bytes.hasPrefix(": ") ? String(Substring(label)) : "_"
  }
}

/// A mistake in the declaration of a coordinator that the compiler accepts.
public enum FlowMistake: Error, Sendable, Hashable, CustomStringConvertible {
  /// The actor has a stored variable. The runtime can neither roll it back nor restore it.
  case storedVariable(String)
  /// The actor has a method that looks like a handler, but is not one, because its labels differ or it is `async`.
  case neverCalled(String, handlers: [String])

  /// The problem and its remedy, for authors.
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
  /// Handlers are checked in debug builds only, whose symbol tables contain the names of all methods.
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

  /// A cache, because tests register the same flow many times.
  private static let found = Lock<[ObjectIdentifier: [FlowMistake]]>([:])
}

/// The stored properties of a type, as described by the Swift runtime.
enum StoredProperties {
  /// Returns the names of the stored properties of a class or actor that are declared with `var`.
  ///
  /// - Parameter type: the type.
  /// - Returns: the names, in the order of the declaration.
  static func variables<Type: AnyObject>(of type: Type.Type) -> [String] {
    let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
    return (0..<fieldCount(type)).compactMap { index in
      var field = Field()
      _ = describeField(type, index: index, into: &field)
      defer { field.free?(field.name) }
      guard field.isVariable, let name = field.name.map(String.init(cString:)), name != "$defaultActor" else { return nil }
      return name.bytes.dropping(prefix: "$__lazy_storage_$_").map { String($0) } ?? name
    }
  }
}

// `Mirror` does not distinguish `var` from `let`, but the underlying functions of the runtime do.
// Source: stdlib/public/core/ReflectionMirror.swift.

private struct Field {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: UnsafeRawPointer) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func describeField(_ type: UnsafeRawPointer, index: Int, into field: UnsafeMutablePointer<Field>) -> UnsafeRawPointer
