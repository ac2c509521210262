/// A notice about a journal for administrators.
public enum JournalNotice: Sendable, Hashable, CustomStringConvertible {
  /// The database was damaged or belonged to another program. It was moved aside, and an empty one has taken its place.
  case movedAside(file: String, to: String, reason: String)
  /// A row that belongs to no tree contains values that a journal never writes. It is left as it is.
  case strayRow(String)
  /// The table with the starts of the machine cannot be read or written now. The value is the reason.
  case timeNotKept(String)

  /// A human-readable message.
  public var description: String {
    switch self {
    case .movedAside(let file, let aside, let reason):
      "\(file) is unusable (\(reason)): it was moved to \(aside), and the daemon starts without flows"
    case .strayRow(let row): "cannot read \(row); left unchanged"
    case .timeNotKept(let reason):
      """
      cannot read or store how long the machine has run (\(reason)): if it is started anew and its clock is wrong, timeouts and \
      timers may take longer
      """
    }
  }

  /// Whether something that was stored is missing now.
  public var isLoss: Bool {
    switch self {
    case .movedAside, .strayRow: true
    case .timeNotKept: false
    }
  }
}
