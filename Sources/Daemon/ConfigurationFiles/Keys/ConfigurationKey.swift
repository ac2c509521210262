/// One thing that can be configured: its name, the values it takes, and what holds if nobody says anything.
public struct ConfigurationKey<Value: Sendable>: Sendable {
  /// What a table of all keys holds of it.
  public let entry: KeyEntry
  /// What holds if nobody says anything.
  public let defaultValue: Value
  let format: ValueFormat<Value>

  /// Defines a key.
  ///
  /// - Parameters:
  ///   - name: its name in files, such as `MaxFlows`; no other key of the program has it, whatever its section.
  ///   - section: the section that it stands in.
  ///   - format: the values it takes.
  ///   - defaultValue: what holds if nobody says anything.
  ///   - defaultText: says what that is where the value does not.
  ///   - flag: the option of the command line that goes before it, without dashes; nil for none.
  ///   - reloads: whether another value holds after a reload; if not, after a restart.
  ///   - summary: what it is for, in a sentence.
  public init(
    _ name: String, in section: String, _ format: ValueFormat<Value>, default defaultValue: Value, defaultText: String? = nil,
    flag: String? = nil, reloads: Bool = false, _ summary: String
  ) {
    self.defaultValue = defaultValue
    self.format = format
    let read = format.read
    entry = KeyEntry(
      section: section, name: name, flag: flag, expected: format.expected, valueName: format.name,
      defaultText: defaultText ?? format.write(defaultValue),
      reloads: reloads, summary: summary, isValid: { read($0) != nil })
  }

  /// What the command line says of it; nil if it says nothing.
  public func given(_ text: String?) -> GivenValue? { text.map { GivenValue(key: entry, text: $0) } }
}

/// What a command line says of a key.
public struct GivenValue: Sendable {
  let key: KeyEntry
  let text: String
}
