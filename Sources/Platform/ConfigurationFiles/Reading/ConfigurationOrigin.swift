/// The origin of a value.
public enum ConfigurationOrigin: Sendable, Hashable, CustomStringConvertible {
  /// The built-in default.
  case builtIn
  /// A line of a file: its path and its number, from 1.
  case file(String, line: Int)
  /// An environment variable, by name.
  case variable(String)
  /// A command-line option, by name without dashes.
  case flag(String)

  /// The origin as it is shown to users.
  public var description: String {
    switch self {
    case .builtIn: "default"
    case .file(let path, let line): "\(path):\(line)"
    case .variable(let name): "$\(name)"
    case .flag(let name): "--\(name)"
    }
  }

  /// The precedence: options override environment variables, which override files, which override built-in defaults.
  public var rank: Int {
    switch self {
    case .builtIn: 0
    case .file: 1
    case .variable: 2
    case .flag: 3
    }
  }
}
