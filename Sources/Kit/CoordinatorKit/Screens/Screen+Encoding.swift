import DBusValues

extension Screen {
  /// Returns what the screen shows, without its place in a window: what ``init(described:)`` reads.
  ///
  /// - Returns: the contents of an `a{sv}`, values not in variants.
  /// - Throws: `JSONConversionError` if a value or the schema holds what D-Bus cannot say, or is nested too deep.
  package func description() throws(JSONConversionError) -> [String: Value] {
    var result: [String: Value] = [:]
    for key in Self.describing { if let value = try value(of: key) { result[key.rawValue] = value } }
    return result
  }

  /// The keys that say what a screen shows.
  package static let describedKeys = describing.map(\.rawValue).sorted()

  private static let describing = Set(ScreenKey.allCases).subtracting([
    .id, .coordinator, .style, .layer, .back, .leaves, .draft, .elapses,
  ])

  private static let vardictType = SingleType.dictionary(key: .string, value: .variant)

  /// Returns what the screen has for a key; nil for nothing, and for a key that says where a screen stands.
  ///
  /// - Throws: `JSONConversionError` if the value holds what D-Bus cannot say, or is nested too deep.
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
