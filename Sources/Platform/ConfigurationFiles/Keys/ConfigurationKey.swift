/// A setting: its name, its format and its default.
public struct ConfigurationKey<Value: Sendable>: Sendable {
  /// The key's description, independent of the type of its values.
  public let entry: KeyEntry
  /// The value if no source sets one.
  public let defaultValue: Value
  let format: ValueFormat<Value>

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - name: the name in files, such as `MaxFlows`. It must be unique in the program, whatever the section.
  ///   - section: the section that contains the key.
  ///   - format: the format of its values.
  ///   - defaultValue: the value if no source sets one.
  ///   - defaultText: a description of the default, if the default value alone does not describe it.
  ///   - flag: the command-line option that overrides the key, without dashes; nil for none.
  ///   - reloads: whether a new value takes effect at a reload; if not, it does at a restart.
  ///   - summary: the purpose of the key, in one sentence.
  public init(
    _ name: String, in section: String, _ format: ValueFormat<Value>, default defaultValue: Value, defaultText: String? = nil,
    flag: String? = nil, reloads: Bool = false, _ summary: String
  ) {
    self.init(
      name, section: section, family: nil, format, default: defaultValue, defaultText: defaultText, flag: flag,
      reloads: reloads, summary)
  }

  /// Creates a key of a family of sections, such as `[Flow NAME]`. It can be set in files only.
  ///
  /// - Parameters:
  ///   - name: the name in files. It must be unique in the program, whatever the section.
  ///   - family: the word that each of the sections begins with, such as `Flow`.
  ///   - placeholder: what follows the word, such as `NAME`.
  ///   - format: the format of its values.
  ///   - defaultValue: the value in a section that does not set one.
  ///   - reloads: whether a new value takes effect at a reload; if not, it does at a restart.
  ///   - summary: the purpose of the key, in one sentence.
  public init(
    _ name: String, inEach family: String, _ placeholder: String, _ format: ValueFormat<Value>, default defaultValue: Value,
    reloads: Bool = false, _ summary: String
  ) {
    self.init(
      name, section: "\(family) \(placeholder)", family: family, format, default: defaultValue, defaultText: nil, flag: nil,
      reloads: reloads, summary)
  }

  private init(
    _ name: String, section: String, family: String?, _ format: ValueFormat<Value>, default defaultValue: Value,
    defaultText: String?, flag: String?, reloads: Bool, _ summary: String
  ) {
    self.defaultValue = defaultValue
    self.format = format
    let read = format.read
    entry = KeyEntry(
      section: section, family: family, name: name, flag: flag, expected: format.expected, valueName: format.name,
      defaultText: defaultText ?? format.write(defaultValue),
      reloads: reloads, summary: summary, isValid: { read($0) != nil })
  }

  /// Returns the value that the command line gives for this key; nil if it gives none.
  public func given(_ text: String?) -> GivenValue? { text.map(entry.given) }
}

/// A value that the command line gives for a key.
public struct GivenValue: Sendable {
  let key: KeyEntry
  let text: String
}
