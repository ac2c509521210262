import Platform

/// The sources of a configuration. Flags override environment variables, which override files.
public struct ConfigurationSource: Sendable {
  /// The locations of the files.
  public var places: ConfigurationPlaces
  /// The environment variables of the process.
  public var environment: [String: String]
  /// The prefix of the environment variables that are read: `COORDINATORD` for `COORDINATORD_MAX_FLOWS`.
  public var prefix: String
  /// The values given on the command line.
  public var flags: [GivenValue]

  /// Creates a set of sources.
  public init(places: ConfigurationPlaces, environment: [String: String], prefix: String, flags: [GivenValue]) {
    self.places = places
    self.environment = environment
    self.prefix = prefix
    self.flags = flags
  }

  /// Returns the prefix of a program's environment variables: its name in capitals, with `_` for each character that is
  /// neither an ASCII letter nor a digit.
  public static func prefix(of program: String) -> String {
    let scalars = program.unicodeScalars.map { scalar -> Unicode.Scalar in
      guard let byte = UInt8(exactly: scalar.value), byte.isASCIILetter || byte.isASCIIDigit else { return "_" }
      return Unicode.Scalar(byte.asciiUppercased)
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
