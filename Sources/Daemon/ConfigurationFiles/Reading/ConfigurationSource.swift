/// All that a configuration is made of. What each says goes before what those above it say.
public struct ConfigurationSource: Sendable {
  /// The files.
  public var places: ConfigurationPlaces
  /// The variables of the process.
  public var environment: [String: String]
  /// What the names of variables begin with that are read: `COORDINATORD` for `COORDINATORD_MAX_FLOWS`.
  public var prefix: String
  /// What the command line says.
  public var flags: [GivenValue]

  /// Puts a source together.
  public init(places: ConfigurationPlaces, environment: [String: String], prefix: String, flags: [GivenValue]) {
    self.places = places
    self.environment = environment
    self.prefix = prefix
    self.flags = flags
  }

  /// The prefix of a program's variables: its name in capitals, with `_` for what is neither a letter nor a digit.
  public static func prefix(of program: String) -> String {
    String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? Character($0.uppercased()) : "_" })
  }
}
