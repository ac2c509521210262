import ConfigurationFiles
import Languages

extension DaemonSource {
  /// The directories with translations, in ascending precedence: the usual ones, of a user's daemon also that of the user,
  /// and the configured one.
  func translationDirectories(_ configuration: Configuration) -> [String] {
    Translations.usualDirectories(isShared: isSystem) { source.environment[$0] }
      + [configuration[DaemonKey.translations]].compactMap(\.self)
  }
}
