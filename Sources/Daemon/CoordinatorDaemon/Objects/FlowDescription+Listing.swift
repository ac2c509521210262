import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

extension FlowDescription {
  /// Returns the flow as an entry in the result of `ListFlows`.
  func vardict(_ schemas: FlowSchemas?, _ languages: [Translations.Language]) -> [String: Value] {
    let schema = (try? Value(json: input.schema.json)) ?? .vardict([:])
    var entry: [String: Value] = [
      "name": .string(name), "title": .string(title), "summary": .string(summary), "input": schema,
      "rehearsable": .boolean(isRehearsable), "leavable": .boolean(canBeLeft), "singleton": .boolean(isSingleton),
      "part": .boolean(isPart),
    ]
    entry["result"] = schemas?.result.flatMap { try? Value(json: $0.json) }
    entry["output"] = schemas?.output.flatMap { try? Value(json: $0.json) }
    entry["titles"] = Self.translations(of: titleText, languages)
    entry["summaries"] = Self.translations(of: summaryText, languages)
    return entry
  }

  /// Returns the size of a program's flow in the result of `ListFlows`, in bytes. It may be larger than the received size: the
  /// numbers of a compact array become values with a type each.
  func listedSize(_ schemas: FlowSchemas) -> Int { Value.vardict(vardict(schemas, [])).wireSize }

  /// Returns the translations of a text by language; nil if there are none.
  private static func translations(of text: Text, _ languages: [Translations.Language]) -> Value? {
    let original = text.resolved(in: nil)
    var known: Set<String> = []
    let entries = languages.compactMap { language -> DictionaryEntry? in
      let translation = text.resolved(in: language)
      // Languages that differ only by a modifier have the same tag.
      guard translation != original, known.insert(language.tag.bcp47).inserted else { return nil }
      return DictionaryEntry(key: .string(language.tag.bcp47), value: .string(translation))
    }
    return entries.isEmpty ? nil : .dictionary(key: .string, value: .string, entries)
  }
}
