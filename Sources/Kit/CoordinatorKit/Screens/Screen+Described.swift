import DBusValues

extension Screen {
  /// Reads the description of a screen by its author: a provider, a script, or a program that asks.
  ///
  /// - Parameters:
  ///   - description: the keys of the Router's screens that say what a screen shows. A name, a body and actions may be
  ///     missing.
  ///   - depthLimit: the most levels of the description.
  ///   - note: receives each key that is not known. It is ignored, because a library may be newer than what reads it; but it
  ///     may be misspelt as well, and that its author should learn.
  /// - Throws: ``MalformedScreen`` or ``JSONConversionError``. It does not validate the screen; see
  ///   ``CoordinatorKit/Screen/validate()``.
  package init(
    describedAs description: [String: JSONValue], depthLimit: Int = JSONValue.maximumSentDepth + 1,
    noting note: ((UnknownKey) -> Void)? = nil
  ) throws {
    var object = description
    for (key, value) in [("name", JSONValue.string("")), ("body", .string("")), ("actions", .array([]))]
    where object[key] == nil { object[key] = value }
    let vardict = try Value.object(object, depthLimit: depthLimit).vardict ?? [:]
    guard let note else {
      try self.init(described: vardict)
      return
    }
    try self.init(described: vardict, noting: note)
  }
}
