import DBusValues

extension Screen {
  /// What replaces a key that an author has left out.
  private static let omitted: [String: Value] = [
    ScreenKey.name.rawValue: .string(""), ScreenKey.body.rawValue: .string(""), ScreenKey.actions.rawValue: .vardicts([]),
  ]

  /// The key of the text of a busy screen: an author says that a screen is busy, and ``busy(_:)`` what follows from it.
  package static let busyKey = "busy"

  /// Reads the description of a screen by its author: a provider, a script, or a program that asks.
  ///
  /// It does not validate the screen; see ``CoordinatorKit/Screen/validate()``. Of what only the kit knows, nothing is read.
  ///
  /// - Parameters:
  ///   - description: the keys of the Router's screens that say what a screen shows, and ``busyKey``. A name, a body and
  ///     actions may be missing.
  ///   - note: receives each key that is not known. It is ignored, because a library may be newer than what reads it; but it
  ///     may be misspelt as well, and that its author should learn.
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
  ///   - note: receives each key that is not known, and is ignored.
  /// - Throws: ``MalformedScreen`` or `JSONConversionError`.
  package init(describedAs description: [String: JSONValue], noting note: ((UnknownKey) -> Void)? = nil) throws {
    try self.init(
      describedAs: Value.object(description, depthLimit: Self.depthLimit).vardict ?? [:] as [String: Value], noting: note)
  }

  /// What ``description()`` returns, as JSON, which ``init(describedAs:noting:)`` reads: what is stored of a screen, and what
  /// programs tell each other of it.
  package var json: [String: JSONValue] {
    get throws(JSONConversionError) { try JSONValue.object(from: .vardict(description()), depthLimit: Self.depthLimit) }
  }

  /// The most levels of a description. What it holds may be nested as deeply as what is sent by itself.
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
