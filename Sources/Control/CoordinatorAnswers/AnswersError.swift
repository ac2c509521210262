/// Why an answers file cannot be used. Never repeats a value of the file, which might be a secret in the wrong place.
public struct AnswersError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1; nil if it is about the whole file.
  public var line: Int?
  /// Where in the file, from the outside in: `answers`, `account`, `log-in`.
  public var keys: [String]
  /// What is wrong there.
  public var reason: String

  /// What is wrong, and where.
  public init(line: Int? = nil, keys: [String] = [], _ reason: String) {
    self.line = line
    self.keys = keys
    self.reason = reason
  }

  /// One line for people: "line 4: answers: account: must be ...".
  public var description: String {
    ((line.map { ["line \($0)"] } ?? []) + keys + [reason]).joined(separator: ": ")
  }
}
