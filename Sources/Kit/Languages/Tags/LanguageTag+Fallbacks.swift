extension LanguageTag {
  /// The languages whose translations serve readers of this language, best first: `de-AT`, `de`. Begins with the tag itself.
  public var fallbacks: [LanguageTag] {
    var tags: [LanguageTag] = []
    func add(_ script: String?, _ region: String?, _ variant: String?) {
      let tag = LanguageTag(language: language, script: script, region: region, variant: variant)
      if !tags.contains(tag) { tags.append(tag) }
    }
    for variant in [variant, nil] {
      add(script, region, variant)
      if script != nil { add(script, nil, variant) }
      if region != nil { add(nil, region, variant) }
      // Catalogues of Chinese are named by region or by script, and users set either.
      if language == "zh" {
        if script == nil, let region { add(Self.chineseScript(of: region), nil, variant) }
        if let script { add(nil, script == "Hant" ? "TW" : "CN", variant) }
      }
      add(nil, nil, variant)
    }
    return tags
  }

  private static func chineseScript(of region: String) -> String {
    ["TW", "HK", "MO"].contains(region) ? "Hant" : "Hans"
  }
}

extension LanguageTag {
  private static let rightToLeftScripts: Set<String> = [
    "Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa",
  ]
  /// Languages whose usual script is written from right to left.
  private static let rightToLeftLanguages: Set<String> = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
  ]

  /// Whether the language is written from right to left, for `<html dir>`.
  public var isRightToLeft: Bool {
    script.map(Self.rightToLeftScripts.contains) ?? Self.rightToLeftLanguages.contains(language)
  }
}
