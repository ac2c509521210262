import DBusValues
import Platform

extension Screen {
  /// Decodes the content of a screen, without its place in a window.
  ///
  /// - Parameter vardict: the keys of the Router's screens that describe the content of a screen.
  /// - Throws: `MalformedScreen` if a key is missing or its value does not match the contract.
  public init(described vardict: [String: Value]) throws(MalformedScreen) { try self.init(VardictReader(vardict)) }

  /// Decodes an author's description of a screen.
  ///
  /// - Parameters:
  ///   - vardict: the keys of the Router's screens that describe the content of a screen.
  ///   - note: receives each unknown key, which is ignored.
  /// - Throws: `MalformedScreen`, as ``init(described:)``.
  package init(described vardict: [String: Value], noting note: (UnknownKey) -> Void) throws(MalformedScreen) {
    let ledger = KeyLedger()
    try self.init(VardictReader(vardict, ledger: ledger))
    for key in ledger.unknown { note(key) }
  }

  package init(_ reader: VardictReader) throws(MalformedScreen) {
    let name = try reader.required(.name, \.string)
    guard let kind = Kind(rawValue: try reader.required(.kind, \.string)) else {
      self = .ofUnknownKind(name, title: try reader.required(.title, \.string), body: try reader.required(.body, \.string))
      return
    }
    self.init(
      name, kind: kind,
      title: try reader.required(.title, \.string),
      body: try reader.required(.body, \.string),
      actions: try reader.requiredList(.actions, Action.init),
      items: try reader.list(.items, Item.init),
      form: try reader.form(),
      values: try reader.optional(.values) { try? JSONValue.object(from: $0) } ?? [:],
      messages: try reader.list(.messages, ScreenMessage.init) ?? [],
      progress: try reader.dictionary(.progress).map(Progress.init),
      accent: try reader.optional(.accent, \.string),
      until: try reader.optional(.until) { $0.uint64.map { Timestamp(microseconds: $0) } })
    try readExtras(reader)
  }
}

extension Action {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    self.init(
      try reader.required("id", \.string), verbatim: try reader.required("title", \.string),
      role: try reader.required("role") { $0.string.flatMap(Role.init(rawValue:)) })
    summary = try reader.optional("summary", \.string)
    confirmation = try reader.optional("confirm", \.string)
    disabled = try reader.optional("disabled", \.string)
  }
}

extension Item {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    self.init(
      try reader.required("id", \.string), verbatim: try reader.required("title", \.string),
      subtitle: try reader.optional("subtitle", \.string), group: try reader.optional("group", \.string),
      disabled: try reader.optional("disabled", \.string))
  }
}

extension ScreenMessage {
  /// Decodes a message.
  ///
  /// - Parameter vardict: the contents of an `a{sv}`.
  /// - Throws: `MalformedScreen` if a key is missing or its value does not match the contract.
  public init(described vardict: [String: Value]) throws(MalformedScreen) { try self.init(VardictReader(vardict)) }

  /// Decodes an author's message.
  ///
  /// - Parameters:
  ///   - vardict: the contents of an `a{sv}`.
  ///   - note: receives each unknown key, which is ignored.
  /// - Throws: `MalformedScreen`, as ``init(described:)``.
  package init(described vardict: [String: Value], noting note: (UnknownKey) -> Void) throws(MalformedScreen) {
    let ledger = KeyLedger()
    try self.init(VardictReader(vardict, name: "message", ledger: ledger))
    for key in ledger.unknown { note(key) }
  }

  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    self.init(
      try reader.required("level") { $0.string.flatMap(Level.init(rawValue:)) },
      code: try reader.required("code", \.string), text: Text(verbatim: try reader.required("text", \.string)),
      field: try reader.optional("field", \.string))
  }
}

extension Progress {
  /// Decodes the progress of a screen, or of the Progress signal.
  ///
  /// - Parameter vardict: the contents of an `a{sv}`, without the variants around the values.
  /// - Throws: `MalformedScreen` if a value does not match the contract.
  public init(vardict: [String: Value]) throws(MalformedScreen) {
    try self.init(VardictReader(vardict, name: ScreenKey.progress.rawValue))
  }

  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    self.init(
      fraction: try reader.optional("fraction", \.double), text: try reader.optional("text", \.string).map { Text(verbatim: $0) })
  }
}

/// Extracts values from a dictionary of variants; its errors name the key that was wrong.
package struct VardictReader {
  private let vardict: [String: Value]
  /// The dictionary's name in errors; nil for the outermost one.
  private let name: String?
  /// Records the keys that are read; nil if unknown keys are not reported.
  private let ledger: KeyLedger?

  package init(_ vardict: [String: Value], name: String? = nil, ledger: KeyLedger? = nil) {
    self.vardict = vardict
    self.name = name
    self.ledger = ledger
    ledger?.add(vardict.keys, of: name)
  }

  /// Declares keys that are known but not read here.
  package func mayHave(_ keys: String...) {
    if let ledger { for key in keys { ledger.ask(key, of: name) } }
  }

  /// Returns the value of a required key. `convert` returns nil for a value of the wrong type.
  package func required<Result>(_ key: String, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result {
    guard let result = try optional(key, convert) else { throw malformed(key) }
    return result
  }

  /// Returns the value of an optional key, which must have the right type if it is present.
  package func optional<Result>(_ key: String, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result? {
    ledger?.ask(key, of: name)
    guard let value = vardict[key] else { return nil }
    guard let result = convert(value) else { throw malformed(key) }
    return result
  }

  /// Returns a dictionary in the dictionary; nil if the key is absent.
  package func dictionary(_ key: ScreenKey) throws(MalformedScreen) -> VardictReader? {
    try optional(key, \.vardict).map { VardictReader($0, name: key.rawValue, ledger: ledger) }
  }

  /// Returns the elements of a required array of dictionaries.
  package func requiredList<Element>(
    _ key: String, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element] {
    guard let elements = try list(key, make) else { throw malformed(key) }
    return elements
  }

  /// Returns the elements of an array of dictionaries; nil if the key is absent.
  package func list<Element>(
    _ key: String, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element]? {
    guard let elements = try optional(key, \.elements) else { return nil }
    var result: [Element] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      guard let vardict = element.vardict else { throw malformed(key) }
      result.append(try make(VardictReader(vardict, name: key, ledger: ledger)))
    }
    return result
  }

  /// Returns the error that names a key of this dictionary.
  package func malformed(_ key: String, because reason: String? = nil) -> MalformedScreen {
    MalformedScreen(key: name.map { "\($0).\(key)" } ?? key, reason: reason)
  }
}

/// Reads the keys of a screen, which are written as enum cases: there is only one list of them.
extension VardictReader {
  package func required<Result>(_ key: ScreenKey, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result {
    try required(key.rawValue, convert)
  }

  package func optional<Result>(_ key: ScreenKey, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result? {
    try optional(key.rawValue, convert)
  }

  package func requiredList<Element>(
    _ key: ScreenKey, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element] { try requiredList(key.rawValue, make) }

  package func list<Element>(
    _ key: ScreenKey, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element]? { try list(key.rawValue, make) }

  package func malformed(_ key: ScreenKey, because reason: String? = nil) -> MalformedScreen {
    malformed(key.rawValue, because: reason)
  }
}

extension VardictReader {
  /// Returns the screen's form, built from its schema and the order of its fields; nil if the screen has no schema.
  func form() throws(MalformedScreen) -> Form? {
    mayHave(ScreenKey.fields.rawValue)
    guard let json = try optional(.schema, { try? JSONValue.object(from: $0) }) else { return nil }
    let order = try optional(.fields) { $0.elements.map { $0.compactMap(\.string) } } ?? []
    let schema: Schema
    do { schema = try Schema(json: .object(json)) } catch { throw malformed(.schema, because: error.description) }
    do { return try Form(schema: schema, order: order) } catch { throw malformed(.fields, because: error.description) }
  }
}

/// A key of a description that is not read: misspelled, or from a newer version of the contract.
package struct UnknownKey: Sendable, Hashable, CustomStringConvertible {
  /// The key, after the dictionary that has it: `actions.titel`.
  package let key: String
  /// A similar key of the same dictionary, which may have been meant; nil if there is none.
  package let meant: String?

  /// Creates a key that is not among the known ones of a dictionary.
  package init(_ key: String, in dictionary: String?, among known: some Collection<String>) {
    self.key = dictionary.map { "\($0).\(key)" } ?? key
    meant = Suggestion.best(for: key, among: known.sorted())
  }

  /// For authors: `'actions.titel', which nothing reads (did you mean 'title'?)`.
  package var description: String { "'\(key)', which nothing reads" + (meant.map { " (did you mean '\($0)'?)" } ?? "") }
}

/// Records which keys of a description its readers request. A newer daemon may send more keys; more keys from an author are
/// reported.
/// an author sends, more is worth a notice.
package final class KeyLedger {
  private struct Keys {
    var present: Set<String> = []
    var known: Set<String> = []
  }

  private var dictionaries: [String?: Keys] = [:]

  /// Records the keys that a dictionary has.
  func add(_ present: some Sequence<String>, of name: String?) { dictionaries[name, default: Keys()].present.formUnion(present) }

  /// Records a key that is asked for.
  func ask(_ key: String, of name: String?) { dictionaries[name, default: Keys()].known.insert(key) }

  /// The keys that no reader has requested, after everything is read.
  var unknown: [UnknownKey] {
    dictionaries.flatMap { name, keys in
      keys.present.subtracting(keys.known).map { UnknownKey($0, in: name, among: keys.known) }
    }.sorted { $0.key < $1.key }
  }
}
