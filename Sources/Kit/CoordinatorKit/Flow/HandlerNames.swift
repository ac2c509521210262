import Platform

/// The handlers that a coordinator may leave out, because they have defaults. The compiler reports the absence of the others, and
/// accepts a method with another type beside a default, which is then called in its place.
struct HandlerNames {
  /// A form of a handler.
  private struct Form {
    /// The labels of the parameters, `_` for none.
    let labels: [String]
    /// The types of the parameters, in the words of the demangler.
    let types: [String]
    let result: String

    init(_ parameters: KeyValuePairs<String, String>, result: String = "()") {
      labels = parameters.map(\.key)
      types = parameters.map(\.value)
      self.result = result
    }

    /// The form with its labels only, as in `(_:on:)`.
    var name: String { "(" + labels.map { $0 + ":" }.joined() + ")" }
  }

  private let handlers: [String: [Form]]

  /// Creates the handlers of a coordinator.
  ///
  /// - Parameters:
  ///   - route: the type of its routes, in the words of the demangler.
  ///   - work: the type of its work.
  init(route: String, work: String) {
    let (event, child) = ("CoordinatorKit.Event", "CoordinatorKit.Child")
    handlers = [
      "allowsBack": [Form(["from": route], result: "Swift.Bool")],
      "childEmitted": [Form(["_": "CoordinatorKit.ChildOutput"])],
      "childEnded": [Form(["_": child, "outcome": "CoordinatorKit.Outcome"])],
      "migrate": [Form(["_": "CoordinatorKit.StoredFlow", "from": "Swift.Int"])],
      "receive": [Form(["_": event, "on": route]), Form(["_": event, "from": child]), Form(["_": event])],
      "secretsLost": [Form(["_": "Swift.Set<Swift.String>"])],
      "wentBack": [Form(["from": route])],
      "workInterrupted": [Form(["_": work])],
    ]
  }

  /// Returns the methods of a coordinator that look like handlers but are not: they have the labels of a handler with another
  /// type, the first parameter with other labels, another result, or are `async`.
  ///
  /// They are reported only if the handler itself is missing, because otherwise they may be its helpers; for `receive`, also
  /// beside a handler if their first parameter is an event.
  ///
  /// - Parameter methods: the methods that the coordinator declares; see `DeclaredMethods`.
  /// - Returns: the mistakes.
  func mistakes(in methods: [String]) -> [FlowMistake] {
    let methods = methods.compactMap(Method.init)
    return handlers.sorted { $0.key < $1.key }.flatMap { name, forms -> [FlowMistake] in
      let similar = methods.filter { method in
        method.name == name && forms.contains { $0.labels == method.labels || $0.types.first == method.types.first }
      }
      let wrong = similar.filter { method in !forms.contains { Self.is(method, $0) } }
      let isMissing = wrong.count == similar.count
      let reported = wrong.filter { isMissing || name == "receive" && $0.types.first == forms[0].types.first }
      return reported.map { method -> FlowMistake in
        // The types are shown where the labels alone do not tell the difference.
        let showsTypes = forms.contains { $0.labels == method.labels && ($0.types != method.types || $0.result != method.result) }
        let handlers = forms.map { name + (showsTypes ? Self.text(of: $0.labels, $0.types, result: $0.result) : $0.name) }
        let called =
          showsTypes
          ? Self.text(of: method.labels, method.types, result: method.result)
          : "(" + method.labels.map { $0 + ":" }.joined() + ")"
        return .neverCalled((method.isAsync ? "async " : "") + name + called, handlers: handlers)
      }
    }
  }

  private static func `is`(_ method: Method, _ form: Form) -> Bool {
    !method.isAsync && method.labels == form.labels && method.types == form.types && method.result == form.result
  }

  /// Returns the parameters and the result as an author writes them, without the modules that every flow imports.
  private static func text(of labels: [String], _ types: [String], result: String) -> String {
    let parameters = zip(labels, types).map { "\($0): \($1)" }.joined(separator: ", ")
    let text = "(\(parameters))" + (result == "()" ? "" : " -> \(result)")
    return text.bytes.replacing("CoordinatorKit.", with: "").bytes.replacing("Swift.", with: "")
  }
}

/// A method, read from the words of the demangler.
private struct Method {
  let name: String
  /// The labels of the parameters, `_` for none.
  let labels: [String]
  /// The types of the parameters, without words that do not distinguish a handler, such as `inout`.
  let types: [String]
  let isAsync: Bool
  let result: String

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
    let read = parameters.map { Self.parameter($0.bytes.trimmed) }
    (labels, types) = (read.map(\.label), read.map(\.type))
    let rest = text[end...]
    isAsync = rest.bytes.hasPrefix(") async")
    result = rest.bytes.cut(at: " -> ").map { String($0.after) } ?? "()"
  }

  /// Returns the label and the type of a parameter. The demangler omits the label of a single unlabeled parameter.
  private static func parameter(_ parameter: Substring) -> (label: String, type: String) {
    let label = parameter.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 >= 0x80 }
    let rest = parameter[label.endIndex...].bytes.dropping(prefix: ": ")
    return (rest == nil ? "_" : String(Substring(label)), type(rest ?? parameter))
  }

  private static func type(_ text: Substring) -> String {
    for word in ["inout ", "__owned ", "__shared ", "sending "] {
      if let rest = text.bytes.dropping(prefix: word) { return type(rest) }
    }
    return String(text)
  }
}

/// A mistake in the declaration of a coordinator that the compiler accepts.
public enum FlowMistake: Error, Sendable, Hashable, CustomStringConvertible {
  /// The actor has a stored variable. The runtime can neither roll it back nor restore it.
  case storedVariable(String)
  /// The actor has a method that looks like a handler, but is not one, because its labels or types differ, or it is `async`.
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
        if let route = DeclaredMethods.name(of: C.Route.self), let work = DeclaredMethods.name(of: C.Work.self) {
          mistakes += HandlerNames(route: route, work: work).mistakes(in: DeclaredMethods.of(type))
        }
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
