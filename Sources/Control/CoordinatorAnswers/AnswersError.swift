/// The error that makes an answers file unusable. Never contains a value of the file, which might be a misplaced
/// secret.
public struct AnswersError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1; nil if the error concerns the whole file.
  public var line: Int?
  /// The keys from the outermost to the innermost: `answers`, `account`, `log-in`.
  public var keys: [String]
  /// The description of the error.
  public var reason: String

  /// Creates an error.
  public init(line: Int? = nil, keys: [String] = [], _ reason: String) {
    self.line = line
    self.keys = keys
    self.reason = reason
  }

  /// A one-line description for users: "line 4: answers: account: must be ...".
  public var description: String {
    ((line.map { ["line \($0)"] } ?? []) + keys + [reason]).joined(separator: ": ")
  }
}
