/// A notice about a journal for administrators.
public enum JournalNotice: Sendable, Hashable, CustomStringConvertible {
  /// The database was damaged or belonged to another program. It was moved aside, and an empty one has taken its place.
  case movedAside(file: String, to: String, reason: String)
  /// A row that belongs to no tree contains values that a journal never writes. It is left as it is.
  case strayRow(String)

  /// A human-readable message.
  public var description: String {
    switch self {
    case .movedAside(let file, let aside, let reason):
      "\(file) is unusable (\(reason)): it was moved to \(aside), and the daemon starts without flows"
    case .strayRow(let row): "cannot read \(row); left unchanged"
    }
  }
}
