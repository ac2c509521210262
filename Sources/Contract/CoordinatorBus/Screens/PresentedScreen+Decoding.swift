import CoordinatorKit
import DBus

extension PresentedScreen {
  /// Decodes a screen received from the daemon.
  ///
  /// Unknown keys are ignored, because a newer daemon may send more. A screen of an unknown kind is replaced by one
  /// that says so and leaves the answer to another renderer; see
  /// ``CoordinatorKit/Screen/ofUnknownKind(_:title:body:)``.
  ///
  /// - Parameter vardict: the contents of an `a{sv}`, without the variants around the values.
  /// - Throws: `MalformedScreen` if a key is missing or its value does not match the contract.
  public init(vardict: [String: Value]) throws(MalformedScreen) {
    let reader = VardictReader(vardict)
    self.init(
      id: try reader.required(.id, \.uint64),
      coordinator: try reader.required(.coordinator, \.objectPath),
      style: try reader.required(.style) { $0.string.flatMap(ScreenStyle.init(rawValue:)) },
      layer: try reader.required(.layer) { $0.uint64.flatMap(UInt32.init(exactly:)) },
      back: try reader.required(.back, \.bool),
      leaves: try reader.optional(.leaves, \.bool) ?? false,
      draft: try reader.optional(.draft) { try? JSONValue.object(from: $0) } ?? [:],
      screen: try Screen(reader))
  }
}

extension Screen {
  /// Decodes what a screen shows, without its place in a window.
  ///
  /// - Parameter vardict: the keys of the Router's screens that say what a screen shows.
  /// - Throws: `MalformedScreen` if a key is missing or its value does not match the contract.
  public init(described vardict: [String: Value]) throws(MalformedScreen) { try self.init(VardictReader(vardict)) }

  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
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
      progress: try reader.optional(.progress) { $0.vardict.flatMap { try? Progress(vardict: $0) } },
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
    let reader = VardictReader(vardict, name: ScreenKey.progress.rawValue)
    self.init(
      fraction: try reader.optional("fraction", \.double), text: try reader.optional("text", \.string).map { Text(verbatim: $0) })
  }
}
