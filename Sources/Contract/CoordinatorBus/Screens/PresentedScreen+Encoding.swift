import CoordinatorKit
import DBus

extension PresentedScreen {
  /// The keys of a screen's dictionary.
  enum Key {
    static let id = "id"
    static let name = "name"
    static let coordinator = "coordinator"
    static let style = "style"
    static let layer = "layer"
    static let kind = "kind"
    static let title = "title"
    static let body = "body"
    static let actions = "actions"
    static let items = "items"
    static let schema = "schema"
    static let fields = "fields"
    static let values = "values"
    static let messages = "messages"
    static let progress = "progress"
    static let accent = "accent"
    static let back = "back"
    static let draft = "draft"
  }

  /// Returns the screen's representation on the bus. Keys that the contract marks with `?` are absent if they have no
  /// value.
  ///
  /// - Returns: the contents of an `a{sv}`, without the variants around the values.
  /// - Throws: `JSONConversionError` if a value or the schema contains something D-Bus cannot represent, or is nested
  ///   too deeply.
  public func vardict() throws(JSONConversionError) -> [String: Value] {
    var result: [String: Value] = [
      Key.id: .uint64(id),
      Key.name: .string(screen.name),
      Key.coordinator: .objectPath(coordinator),
      Key.style: .string(style.rawValue),
      Key.layer: .uint32(layer),
      Key.kind: .string(screen.kind.rawValue),
      Key.title: .string(screen.title),
      Key.body: .string(screen.body),
      Key.actions: .vardicts(screen.actions.map(\.vardict)),
      Key.back: .boolean(back),
    ]
    result[Key.items] = screen.items.map { .vardicts($0.map(\.vardict)) }
    result[Key.accent] = screen.accent.map(Value.string)
    result[Key.progress] = screen.progress.map { .vardict($0.vardict) }
    if !screen.messages.isEmpty {
      result[Key.messages] = .vardicts(screen.messages.map(\.vardict))
    }
    if let form = screen.form {
      result[Key.schema] = try Value(json: form.schema.json)
      result[Key.fields] = .strings(form.fields.map(\.name))
    }
    if !screen.values.isEmpty {
      result[Key.values] = try .object(screen.values)
    }
    if !draft.isEmpty {
      result[Key.draft] = try .object(draft)
    }
    return result
  }
}

extension Action {
  /// The action's representation on the bus.
  var vardict: [String: Value] {
    ["id": .string(id), "title": .string(title), "role": .string(role.rawValue)]
  }
}

extension Item {
  /// The item's representation on the bus.
  var vardict: [String: Value] {
    var result: [String: Value] = ["id": .string(id), "title": .string(title)]
    result["subtitle"] = subtitle.map(Value.string)
    return result
  }
}

extension ScreenMessage {
  /// The message's representation on the bus.
  var vardict: [String: Value] {
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
