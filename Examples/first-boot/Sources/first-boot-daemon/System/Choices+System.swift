import CoordinatorKit

extension Choices {
  /// Reads the values that this system offers.
  static func ofSystem() -> Choices {
    let languages = languages()
    return Choices(
      languages: languages, keyboards: keyboards(for: languages), timeZones: timeZones(), systemLogins: systemLogins())
  }

  /// The locales that have been generated, by the names of their languages.
  private static func languages() -> [Language] {
    let locales = ((try? Program(name: "locale").run(["-a"])) ?? "").split(separator: "\n")
      .filter { $0.hasSuffix(".utf8") }.map { String($0.dropLast(5)) + ".UTF-8" }
    let found = Set(locales).union(["C.UTF-8"]).sorted()
    return found.map { locale in Language.known.first { $0.locale == locale } ?? Language(locale: locale, name: locale) }
  }

  /// The layouts that X knows, or else those of the languages.
  private static func keyboards(for languages: [Language]) -> [Keyboard] {
    let lines = (try? SystemUsers.lines(of: "/usr/share/X11/xkb/rules/base.lst")) ?? []
    let section = lines.drop { $0 != "! layout" }.dropFirst().prefix { !$0.hasPrefix("!") }
    let listed = section.compactMap { line -> Keyboard? in
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { return nil }
      return Keyboard(layout: String(words[0]), name: String(words[1].drop { $0 == " " }))
    }
    guard listed.isEmpty else { return listed.sorted { $0.name < $1.name } }
    return Set(Language.known.map(\.keyboard)).sorted().map { Keyboard(layout: $0, name: $0) }
  }

  private static func timeZones() -> [String] {
    let lines = (try? SystemUsers.lines(of: "/usr/share/zoneinfo/zone1970.tab")) ?? []
    let listed = lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: "\t").dropFirst(2).first.map(String.init) }
    return Set(listed + Language.known.map(\.timeZone)).sorted()
  }

  private static func systemLogins() -> Set<String> {
    let users = ((try? SystemUsers.lines(of: "/etc/passwd")) ?? []).map {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
    return Set(users.filter { $0.count > 2 && !(1000..<60_000).contains(Int($0[2]) ?? 0) }.map { String($0[0]) })
  }
}
