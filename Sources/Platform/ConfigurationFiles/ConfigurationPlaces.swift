import Platform

/// The locations of configuration files.
///
/// All main files are read in order, and later ones override earlier ones. Then all drop-ins are read, sorted by file
/// name whatever their directories. A drop-in replaces those of the same name in earlier directories.
public struct ConfigurationPlaces: Sendable, Hashable {
  /// The paths of the main files, in ascending precedence.
  public var files: [String]
  /// The directories of drop-ins, in ascending precedence.
  public var dropIns: [String]
  /// Whether a missing main file is a problem.
  public var mustExist = false

  /// Returns the locations for a daemon run by a user: `NAME/NAME.conf`, with drop-ins in `NAME/NAME.conf.d`, below
  /// each directory of `$XDG_CONFIG_DIRS` (`/etc/xdg`), least important first, and below `$XDG_CONFIG_HOME`
  /// (`~/.config`).
  ///
  /// Relative paths in these variables are ignored, as the XDG Base Directory Specification requires.
  ///
  /// - Parameters:
  ///   - name: the name of the daemon.
  ///   - environment: the environment variables of the process.
  /// - Returns: the locations.
  public static func user(_ name: String, environment: [String: String]) -> ConfigurationPlaces {
    let shared = (environment["XDG_CONFIG_DIRS"] ?? "").bytes.split(separator: ":").map(String.init).filter(\.isAbsolutePath)
    let home =
      environment["HOME"].flatMap { $0.isAbsolutePath ? $0 : nil } ?? Environment.homeDirectory
    let own = environment["XDG_CONFIG_HOME"].flatMap { $0.isAbsolutePath ? $0 : nil } ?? "\(home)/.config"
    return ConfigurationPlaces(name, below: (shared.isEmpty ? ["/etc/xdg"] : shared).reversed() + [own])
  }

  /// Returns the locations for a system-wide daemon: `/etc/NAME/NAME.conf`, with drop-ins in `/etc/NAME/NAME.conf.d`.
  public static func system(_ name: String) -> ConfigurationPlaces { ConfigurationPlaces(name, below: ["/etc"]) }

  /// Returns the locations of a single file, which must exist, and of its drop-ins in the directory `FILE.d`.
  public static func only(_ file: String) -> ConfigurationPlaces {
    ConfigurationPlaces(files: [file], dropIns: ["\(file).d"], mustExist: true)
  }

  private init(files: [String], dropIns: [String], mustExist: Bool = false) {
    self.files = files
    self.dropIns = dropIns
    self.mustExist = mustExist
  }

  private init(_ name: String, below directories: [String]) {
    let all = directories.map { directory in
      (directory.bytes.hasSuffix("/") ? directory : directory + "/") + "\(name)/\(name).conf"
    }
    // A directory that is listed twice is read only where it has the higher precedence.
    let files = all.enumerated().filter { index, file in !all.dropFirst(index + 1).contains(file) }.map(\.element)
    self.init(files: files, dropIns: files.map { "\($0).d" })
  }
}

extension String {
  fileprivate var isAbsolutePath: Bool { bytes.hasPrefix("/") }
}

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
