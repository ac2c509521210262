import DBusValues

extension Screen {
  /// Decodes what a screen shows, without its place in a window.
  ///
  /// - Parameter vardict: the keys of the Router's screens that say what a screen shows.
  /// - Throws: `MalformedScreen` if a key is missing or its value does not match the contract.
  public init(described vardict: [String: Value]) throws(MalformedScreen) { try self.init(VardictReader(vardict)) }

  /// Decodes what an author has described.
  ///
  /// - Parameters:
  ///   - vardict: the keys of the Router's screens that say what a screen shows.
  ///   - note: receives each key that is not known, and was ignored.
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

  /// Decodes the message of an author.
  ///
  /// - Parameters:
  ///   - vardict: the contents of an `a{sv}`.
  ///   - note: receives each key that is not known, and was ignored.
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
