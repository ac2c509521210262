import DBus

/// The result of a call of the provider.
enum Reply: Sendable, Hashable {
  case answer(Value)
  case error(DBusError)
  /// The called connection has left the bus.
  case gone
  case silent
  /// The tree that asked has ended meanwhile.
  case dropped

  /// Whether the provider has replied.
  var isThere: Bool {
    switch self {
    case .answer, .error: true
    case .gone, .silent, .dropped: false
    }
  }

  /// The reply with dictionaries in a fixed order, because their order has no meaning.
  var canonical: Reply {
    switch self {
    case .answer(let value): .answer(value.canonical)
    case .error(let error): .error(DBusError(name: error.name, message: error.message, extra: error.extra.map(\.canonical)))
    case .gone, .silent, .dropped: self
    }
  }

  /// All strings in the reply.
  var strings: [String] {
    switch self {
    case .answer(let value): value.strings
    case .error(let error): [error.message] + error.extra.flatMap(\.strings)
    case .gone, .silent, .dropped: []
    }
  }

  /// Returns the difference from another reply, for people.
  func difference(from other: Reply) -> String {
    switch (self, other) {
    case (.answer(let one), .answer(let two)):
      let (one, two) = (one.vardict ?? [:], two.vardict ?? [:])
      let keys = Set(one.keys).union(two.keys).filter { one[$0]?.canonical != two[$0]?.canonical }.sorted()
      guard let key = keys.first else { return "the answers differ" }
      return "\(key) was \(other.part(key)) and is now \(part(key))"
    default: return "the reply was \(other.text) and is now \(text)"
    }
  }

  private func part(_ key: String) -> String {
    guard case .answer(let value) = self, let part = value.vardict?[key] else { return "missing" }
    if let string = part.string { return "'\(string.prefix(80))'" }
    return "'\(part.canonical.strings.joined(separator: " ").prefix(80))'"
  }

  /// The reply in a word, for people.
  var text: String {
    switch self {
    case .answer: "an answer"
    case .error(let error): "the error \(error.name.split(separator: ".").last ?? "")"
    case .gone: "the end of the provider"
    case .silent, .dropped: "nothing"
    }
  }
}

extension Value {
  /// The value with dictionaries in a fixed order.
  var canonical: Value {
    switch self {
    case .array(let type, let elements): .array(of: type, elements.map(\.canonical))
    case .structure(let members): .structure(members.map(\.canonical))
    case .variant(let value): .variant(value.canonical)
    case .dictionary(let key, let type, let entries):
      .dictionary(
        key: key, value: type,
        entries.map { DictionaryEntry(key: $0.key.canonical, value: $0.value.canonical) }
          .sorted { "\($0.key)" < "\($1.key)" })
    default: self
    }
  }

  /// All strings in the value.
  var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .array(_, let elements): elements.flatMap(\.strings)
    case .structure(let members): members.flatMap(\.strings)
    case .variant(let value): value.strings
    case .dictionary(_, _, let entries): entries.flatMap { $0.key.strings + $0.value.strings }
    default: []
    }
  }
}
