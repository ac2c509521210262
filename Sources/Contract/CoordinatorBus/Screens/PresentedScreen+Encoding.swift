import CoordinatorKit
import DBus

extension PresentedScreen {
  /// The screen as a dictionary of the contract. A key that the contract marks with `?` is absent when there is nothing
  /// to say.
  ///
  /// - Parameter keys: the keys to encode; nil for all. What is not asked for is not encoded.
  /// - Returns: the contents of an `a{sv}`, values not in variants.
  /// - Throws: `JSONConversionError` if a value or the schema holds what D-Bus cannot say, or is nested too deep.
  public func vardict(only keys: Set<ScreenKey>? = nil) throws(JSONConversionError) -> [String: Value] {
    var result: [String: Value] = [:]
    if let keys {
      for key in keys { if let value = try value(of: key) { result[key.rawValue] = value } }
    } else {
      result.reserveCapacity(Self.usualCount)
      for (key, name) in Self.names { if let value = try value(of: key) { result[name] = value } }
    }
    return result
  }

  /// The whole screen as an `a{sv}`; the same as ``sayableVardict(only:)``, without the detour of a dictionary.
  public var sayable: Value {
    if let value = try? described() { return value }
    return .vardict(sayableVardict())
  }

  private func described() throws(JSONConversionError) -> Value {
    var entries: [DictionaryEntry] = []
    entries.reserveCapacity(Self.usualCount)
    for (key, name) in Self.orderedNames { entries.add(name, try value(of: key)) }
    return .vardict(ordered: entries)
  }

  /// Most screens have no more keys.
  private static let usualCount = 12
  /// Made once: `allCases` makes an array each time.
  private static let names = ScreenKey.allCases.map { ($0, $0.rawValue) }
  private static let orderedNames = names.sorted { $0.1 < $1.1 }

  /// The screen as a dictionary of the contract; without its values, form and draft if D-Bus cannot say one of them.
  ///
  /// Values that D-Bus cannot say are refused when a coordinator presents them, so nothing is missing in practice.
  ///
  /// - Parameter keys: the keys to encode; nil for all.
  /// - Returns: the contents of an `a{sv}`, values not in variants.
  public func sayableVardict(only keys: Set<ScreenKey>? = nil) -> [String: Value] {
    if let vardict = try? vardict(only: keys) { return vardict }
    var rest = self
    (rest.screen.values, rest.screen.form, rest.draft) = ([:], nil, [:])
    return (try? rest.vardict(only: keys)) ?? [:]
  }

  private static let vardictType = SingleType.dictionary(key: .string, value: .variant)

  private func value(of key: ScreenKey) throws(JSONConversionError) -> Value? {
    switch key {
    case .id: .uint64(id)
    case .coordinator: .objectPath(coordinator)
    case .style: .string(style.rawValue)
    case .layer: .uint32(layer)
    case .name: .string(screen.name)
    case .kind: .string(screen.kind.rawValue)
    case .title: .string(screen.title)
    case .body: .string(screen.body)
    case .actions: .array(of: Self.vardictType, screen.actions.map(\.value))
    case .items: screen.items.map { .array(of: Self.vardictType, $0.map(\.value)) }
    case .values: screen.values.isEmpty ? nil : try .object(screen.values)
    case .messages: screen.messages.isEmpty ? nil : .vardicts(screen.messages.map(\.vardict))
    case .progress: screen.progress.map { .vardict($0.vardict) }
    case .accent: screen.accent.map(Value.string)
    case .until: screen.until.map { .uint64($0.microseconds) }
    case .step: screen.step.map { .vardict($0.vardict) }
    case .choosing: screen.choosing.map { .vardict($0.vardict) }
    case .suggested: screen.suggested.map(Value.strings)
    case .blocks: screen.markup.map { .vardicts($0.blocks.map(\.vardict)) }
    case .picture: screen.picture.map { .vardict($0.vardict) }
    case .review: screen.review.isEmpty ? nil : .vardicts(screen.review.map(\.vardict))
    case .origin: screen.origin.map { .vardict($0.vardict) }
    case .schema: try screen.form.map { form throws(JSONConversionError) in try Value(json: form.schema.json) }
    case .fields: screen.form.map { .strings($0.fields.map(\.name)) }
    case .back: .boolean(back)
    case .leaves: leaves ? .boolean(true) : nil
    case .draft: draft.isEmpty ? nil : try .object(draft)
    }
  }
}

extension Screen {
  /// Returns what the screen shows, without its place in a window: what ``init(described:)`` reads.
  ///
  /// - Returns: the contents of an `a{sv}`, values not in variants.
  /// - Throws: `JSONConversionError` if a value or the schema holds what D-Bus cannot say, or is nested too deep.
  package func description() throws(JSONConversionError) -> [String: Value] {
    try PresentedScreen(
      id: 0, coordinator: Contract.rootPath, style: .push, layer: 0, back: true, screen: self
    ).vardict(only: Self.describedKeys)
  }

  private static let describedKeys = Set(ScreenKey.allCases).subtracting([
    .id, .coordinator, .style, .layer, .back, .leaves, .draft,
  ])
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
