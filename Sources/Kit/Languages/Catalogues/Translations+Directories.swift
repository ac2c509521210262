import Platform

extension Translations {
  /// The name of the files with the texts that ship with coordinatord.
  public static let domain = "coordinatord"

  /// Returns the usual directories with translations, in ascending precedence: `locale` in those of `$XDG_DATA_DIRS` and of
  /// `$XDG_DATA_HOME`. Relative paths in these variables are ignored.
  ///
  /// Source: XDG Base Directory Specification 0.8.
  ///
  /// - Parameters:
  ///   - isShared: whether to leave out the user's directory, as a system daemon does.
  ///   - variable: returns the value of an environment variable.
  /// - Returns: the directories.
  public static func usualDirectories(isShared: Bool = false, environment variable: (String) -> String?) -> [String] {
    func nonEmpty(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    let shared = (nonEmpty("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").bytes.split(separator: ":").map(String.init)
    let own = isShared ? nil : nonEmpty("XDG_DATA_HOME") ?? nonEmpty("HOME").map { "\($0)/.local/share" }
    return (shared.reversed() + [own].compactMap(\.self)).filter { $0.bytes.hasPrefix("/") }
      .map { $0.bytes.hasSuffix("/") ? "\($0)locale" : "\($0)/locale" }
  }
}
