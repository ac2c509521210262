import DBus

/// A text that is not the name of a daemon. Its description says what to use instead.
public enum InvalidDaemonName: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text came from a caller, such as an option of a command line.
  case name(String)
  /// The text is the value of ``DaemonName/variable`` in the environment.
  case environment(String)

  /// A message that says what is wrong and what to use instead.
  public var description: String {
    switch self {
    case .name(let text): "\(InvalidName(text, as: .busName)): use a name such as kiosk or org.example.Kiosk"
    case .environment(let text): "\(DaemonName.variable): \(Self.name(text))"
    }
  }
}
