/// A language of the machine, with the likely choices of its speakers on the next screens.
struct Language: Sendable, Hashable {
  /// The locale, such as `de_DE.UTF-8`.
  var locale: String
  /// The name of the language in that language.
  var name: String
  var keyboard = "us"
  var timeZone = "UTC"

  /// The languages that are known by name.
  static let known = [
    Language(locale: "C.UTF-8", name: "English"),
    Language(locale: "ar_EG.UTF-8", name: "العربية", keyboard: "ara", timeZone: "Africa/Cairo"),
    Language(locale: "de_AT.UTF-8", name: "Deutsch (Österreich)", keyboard: "at", timeZone: "Europe/Vienna"),
    Language(locale: "de_DE.UTF-8", name: "Deutsch", keyboard: "de", timeZone: "Europe/Berlin"),
    Language(locale: "en_GB.UTF-8", name: "English (United Kingdom)", keyboard: "gb", timeZone: "Europe/London"),
    Language(locale: "en_US.UTF-8", name: "English (United States)", timeZone: "America/New_York"),
    Language(locale: "es_ES.UTF-8", name: "Español", keyboard: "es", timeZone: "Europe/Madrid"),
    Language(locale: "fr_FR.UTF-8", name: "Français", keyboard: "fr", timeZone: "Europe/Paris"),
    Language(locale: "it_IT.UTF-8", name: "Italiano", keyboard: "it", timeZone: "Europe/Rome"),
    Language(locale: "ja_JP.UTF-8", name: "日本語", keyboard: "jp", timeZone: "Asia/Tokyo"),
    Language(locale: "pl_PL.UTF-8", name: "Polski", keyboard: "pl", timeZone: "Europe/Warsaw"),
    Language(locale: "pt_BR.UTF-8", name: "Português (Brasil)", keyboard: "br", timeZone: "America/Sao_Paulo"),
  ]
}
