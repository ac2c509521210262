/// Why a catalogue of translations cannot be read.
public struct MessageCatalogueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason.
  public enum Reason: Error, Sendable, Hashable {
    /// The system cannot open or read the file, for this reason.
    case unreadable(String)
    /// It is a directory, a device or the like.
    case notRegular
    /// It has more than ``MessageCatalogue/maximumSize`` bytes, or its messages would have.
    case tooLarge
    /// It does not begin like a file by msgfmt.
    case notCatalogue
    /// Its major revision is neither 0 nor 1.
    case unknownRevision(UInt32)
    /// It refers to bytes behind its end.
    case truncated
    /// A string does not end where its length says.
    case unterminated(message: Int)
    /// A string is not UTF-8.
    case notUTF8(message: Int)
    /// The header names another character set than UTF-8 or ASCII.
    case characterSet(String)
    /// The header has an unusable field `Plural-Forms`.
    case pluralRule(PluralRuleError)
  }

  /// The path of the file; empty if the catalogue was not read from a file.
  public let file: String
  /// The reason.
  public let reason: Reason

  /// A message that names the file and what is wrong with it.
  public var description: String { file.isEmpty ? "\(reason)" : "\(file): \(reason)" }
}

extension MessageCatalogueError.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notRegular: "not a regular file"
    case .tooLarge: "larger than \(MessageCatalogue.maximumSize >> 20) MiB"
    case .notCatalogue: "not a catalogue of translations; create it with msgfmt"
    case .unknownRevision(let revision): "unknown major revision \(revision) of the file format"
    case .truncated: "truncated or damaged; create it again with msgfmt"
    case .unterminated(let message): "message \(message) is not terminated; create the file again with msgfmt"
    case .notUTF8(let message): "message \(message) is not UTF-8; convert the .po file with msgconv --to-code=UTF-8"
    case .characterSet(let name): "character set '\(name)' is not supported; convert the .po file with msgconv --to-code=UTF-8"
    case .pluralRule(let error): "\(error)"
    }
  }
}
