import DBusValues

extension Screen {
  /// Returns the content of the screen, without its place in a window, as ``init(described:)`` reads it.
  ///
  /// - Returns: the contents of an `a{sv}`, values not in variants.
  /// - Throws: `JSONConversionError` if a value or the schema contains something that D-Bus cannot represent, or is nested too
  ///   deeply.
  package func description() throws(JSONConversionError) -> [String: Value] {
    var result: [String: Value] = [:]
    for key in Self.describing { if let value = try value(of: key) { result[key.rawValue] = value } }
    return result
  }

  /// The keys that describe the content of a screen.
  package static let describedKeys = describing.map(\.rawValue).sorted()

  private static let describing = Set(ScreenKey.allCases).subtracting([
    .id, .coordinator, .style, .layer, .back, .leaves, .draft, .elapses,
  ])

  private static let vardictType = SingleType.dictionary(key: .string, value: .variant)

  /// Returns the value for a key; nil if the screen has none, and for a key that describes the place of a screen.
  ///
  /// - Throws: `JSONConversionError` if the value contains something that D-Bus cannot represent, or is nested too deeply.
  package func value(of key: ScreenKey) throws(JSONConversionError) -> Value? {
    switch key {
    case .name: .string(name)
    case .kind: .string(kind.rawValue)
    case .title: .string(title)
    case .body: .string(body)
    case .actions: .array(of: Self.vardictType, actions.map(\.value))
    case .items: items.map { .array(of: Self.vardictType, $0.map(\.value)) }
    case .values: values.isEmpty ? nil : try .object(values)
    case .messages: messages.isEmpty ? nil : .vardicts(messages.map(\.vardict))
    case .progress: progress.map { .vardict($0.vardict) }
    case .accent: accent.map(Value.string)
    case .until: until.map { .uint64($0.microseconds) }
    case .schema: try form.map { form throws(JSONConversionError) in try Value(json: form.schema.json) }
    case .fields: form.map { .strings($0.fields.map(\.name)) }
    default: extras?.values.value(of: key)
    }
  }
}

extension Action {
  /// The action's representation on the bus.
  var value: Value {
    var entries: [DictionaryEntry] = []
    entries.reserveCapacity(6)
    entries.add("confirm", confirmation.map(Value.string))
    entries.add("disabled", disabled.map(Value.string))
    entries.add("id", .string(id))
    entries.add("role", .string(role.rawValue))
    entries.add("summary", summary.map(Value.string))
    entries.add("title", .string(title))
    return .vardict(ordered: entries)
  }
}

extension Item {
  /// The item's representation on the bus.
  var value: Value {
    var entries: [DictionaryEntry] = []
    entries.reserveCapacity(5)
    entries.add("disabled", disabled.map(Value.string))
    entries.add("group", group.map(Value.string))
    entries.add("id", .string(id))
    entries.add("subtitle", subtitle.map(Value.string))
    entries.add("title", .string(title))
    return .vardict(ordered: entries)
  }
}

extension ScreenMessage {
  /// The message's representation on the bus.
  package var vardict: [String: Value] {
    var result: [String: Value] = ["level": .string(level.rawValue), "code": .string(code), "text": .string(text)]
    result["field"] = field.map(Value.string)
    return result
  }
}

extension Progress {
  /// The progress's representation on the bus, which is also the second argument of the Progress signal.
  public var vardict: [String: Value] {
    var result: [String: Value] = [:]
    result["fraction"] = fraction.map(Value.double)
    result["text"] = text.map(Value.string)
    return result
  }
}

/// A screen is stored as JSON, with the keys of the contract.
extension Screen: Codable {
  /// Reads a screen. Keys that an author may omit may be missing, because earlier versions stored descriptions as received.
  ///
  /// - Throws: ``MalformedScreen``, `JSONConversionError` or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try self.init(describedAs: decoder.singleValueContainer().decode([String: JSONValue].self))
  }

  /// Writes the screen.
  ///
  /// - Throws: `JSONConversionError` if a value or the schema contains something that D-Bus cannot represent, or is nested too
  ///   deeply.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}

extension Screen {
  /// The defaults of keys that an author has omitted.
  private static let omitted: [String: Value] = [
    ScreenKey.name.rawValue: .string(""), ScreenKey.body.rawValue: .string(""), ScreenKey.actions.rawValue: .vardicts([]),
  ]

  /// The key of the text of a busy screen. An author sends this key; ``busy(_:)`` determines the other parts.
  package static let busyKey = "busy"

  /// Reads the description of a screen by its author: a provider, a script, or an existing program that asks questions.
  ///
  /// Does not validate the screen; see ``CoordinatorKit/Screen/validate()``. Ignores keys that only the kit sets.
  ///
  /// - Parameters:
  ///   - description: the keys of the Router's screens that describe the content of a screen, and ``busyKey``. A name, a body
  ///     and actions may be missing.
  ///   - note: receives each unknown key. It is ignored, because a library may be newer than its reader; but it may also be
  ///     misspelled, so its author should be notified.
  /// - Throws: ``MalformedScreen``.
  package init(describedAs description: [String: Value], noting note: ((UnknownKey) -> Void)? = nil) throws(MalformedScreen) {
    var vardict = description
    let busy = vardict.removeValue(forKey: Self.busyKey)
    vardict.merge(Self.omitted) { given, _ in given }
    if let note { try self.init(described: vardict, noting: note) } else { try self.init(described: vardict) }
    elapses = nil
    try requireStorable()
    guard let busy else { return }
    guard let text = busy.string else { throw MalformedScreen(key: Self.busyKey) }
    self = self.busy(text.isEmpty ? nil : Text(verbatim: text))
  }

  /// Reads the description of a screen by its author, as JSON.
  ///
  /// - Parameters:
  ///   - description: the description; see ``init(describedAs:noting:)``.
  ///   - note: receives each unknown key, which is ignored.
  /// - Throws: ``MalformedScreen`` or `JSONConversionError`.
  package init(describedAs description: [String: JSONValue], noting note: ((UnknownKey) -> Void)? = nil) throws {
    try self.init(
      describedAs: Value.object(description, depthLimit: Self.depthLimit).vardict ?? [:] as [String: Value], noting: note)
  }

  /// The result of ``description()`` as JSON, which ``init(describedAs:noting:)`` reads: the form in which screens are stored,
  /// and exchanged between programs.
  package var json: [String: JSONValue] {
    get throws(JSONConversionError) { try JSONValue.object(from: .vardict(description()), depthLimit: Self.depthLimit) }
  }

  /// The maximum number of levels of a description. Its values may be nested as deeply as values that are sent alone.
  private static var depthLimit: Int { JSONValue.maximumSentDepth + 1 }

  /// Throws if a number is too large for JSON.
  private func requireStorable() throws(MalformedScreen) {
    let most = UInt64(Int64.max)
    guard until.map({ $0.microseconds <= most }) ?? true else { throw MalformedScreen(key: ScreenKey.until.rawValue) }
    guard review.allSatisfy({ $0.screen.map { $0.number <= most } ?? true }) else {
      throw MalformedScreen(key: "\(ScreenKey.review.rawValue).screen")
    }
  }
}

extension Screen {
  /// What a renderer displays for a screen that it cannot show.
  public static var cannotBeShown: String {
    Text("This screen cannot be shown here. Answer it in another renderer.").string
  }

  /// Returns the screen to show in place of one whose kind this version does not know. It cannot be answered.
  ///
  /// - Parameters:
  ///   - name: the screen's name.
  ///   - title: the screen's title.
  ///   - body: the screen's body.
  /// - Returns: a message with the code `unknown-kind` and no actions.
  public static func ofUnknownKind(_ name: String, title: String, body: String) -> Screen {
    .message(
      name, title: Text(verbatim: title), body: Text(verbatim: body),
      messages: [.warning("unknown-kind", Text(verbatim: cannotBeShown))])
  }
}

/// Why a screen is refused: it does not match the contract, or no renderer could show it.
public struct MalformedScreen: Error, Sendable, Hashable, CustomStringConvertible {
  /// The key that is missing or has a wrong value, such as `actions` or `actions.role`.
  public let key: String
  /// What is wrong with its value, for the author; nil if the key is missing, or if its value has a wrong type.
  public let reason: String?

  /// Creates an error about `key`.
  ///
  /// - Parameters:
  ///   - key: the key that is missing or has a wrong value.
  ///   - reason: the problem with its value; nil if the key is missing, or if its value has a wrong type.
  public init(key: String, reason: String? = nil) {
    self.key = key
    self.reason = reason
  }

  /// The fault without its subject, the screen: `'accent' is invalid: must be a color as #RRGGBB`.
  package var fault: String { "'\(key)' is " + (reason.map { "invalid: \($0)" } ?? "missing or invalid") }

  /// The error on one line, for users.
  public var description: String { "a screen whose \(fault)" }
}
