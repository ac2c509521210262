/// Where a value comes from.
public enum ConfigurationOrigin: Sendable, Hashable, CustomStringConvertible {
  /// Nobody said anything.
  case builtIn
  /// A line of a file.
  case file(String, line: Int)
  /// An environment variable.
  case variable(String)
  /// An option of the command line, without dashes.
  case flag(String)

  /// For people.
  public var description: String {
    switch self {
    case .builtIn: "default"
    case .file(let path, let line): "\(path):\(line)"
    case .variable(let name): "$\(name)"
    case .flag(let name): "--\(name)"
    }
  }

  /// Files go before what is built in, variables before files, and the command line before all.
  public var rank: Int {
    switch self {
    case .builtIn: 0
    case .file: 1
    case .variable: 2
    case .flag: 3
    }
  }
}
