import ConfigurationFiles

extension DaemonSource {
  /// The directories with translations, in ascending precedence: `locale` in those of `$XDG_DATA_DIRS`, for a user's
  /// daemon also of `$XDG_DATA_HOME`, and the configured one. Relative paths in these variables are ignored.
  func translationDirectories(_ configuration: Configuration) -> [String] {
    let shared = (source.environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").map(String.init)
    var directories = Array((shared.isEmpty ? ["/usr/local/share", "/usr/share"] : shared).reversed())
    if !isSystem {
      let own = source.environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
      let home = own ?? source.environment["HOME"].map { "\($0)/.local/share" }
      directories += [home].compactMap(\.self)
    }
    let usual = directories.filter { $0.hasPrefix("/") }.map { $0.hasSuffix("/") ? "\($0)locale" : "\($0)/locale" }
    return usual + [configuration[DaemonKey.translations]].compactMap(\.self)
  }
}
