/// Something about a journal that an admin should know.
public enum JournalNotice: Sendable, Hashable, CustomStringConvertible {
  /// The database was damaged, or another program's; it was moved, and an empty one takes its place.
  case movedAside(file: String, to: String, reason: String)
  /// A row that belongs to no tree holds what no journal writes; it stays as it is.
  case strayRow(String)

  /// For people.
  public var description: String {
    switch self {
    case .movedAside(let file, let aside, let reason):
      "\(file) is not usable (\(reason)): it was moved to \(aside), and the daemon starts empty"
    case .strayRow(let row): "\(row) cannot be read, and is left as it is"
    }
  }
}
