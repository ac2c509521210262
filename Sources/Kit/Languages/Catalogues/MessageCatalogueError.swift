/// The reason why a catalogue of translations cannot be read.
public struct MessageCatalogueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason.
  public enum Reason: Error, Sendable, Hashable {
    /// The system cannot open or read the file, for the reason that is given.
    case unreadable(String)
    /// The path is not a regular file, but a directory, a device or similar.
    case notRegular
    /// The file has more than ``MessageCatalogue/maximumSize`` bytes, or its messages would have.
    case tooLarge
    /// The file does not begin like a file by msgfmt.
    case notCatalogue
    /// The major revision is neither 0 nor 1.
    case unknownRevision(UInt32)
    /// The file refers to bytes after its end.
    case truncated
    /// A string does not end where its length says.
    case unterminated(message: Int)
    /// A string is not UTF-8.
    case notUTF8(message: Int)
    /// The header names a character set other than UTF-8 or ASCII.
    case characterSet(String)
    /// The header has an invalid field `Plural-Forms`.
    case pluralRule(PluralRuleError)
  }

  /// The path of the file; empty if the catalogue was not read from a file.
  public let file: String
  /// The reason.
  public let reason: Reason

  /// A message with the path of the file and the reason.
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
