import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

extension FlowDescription {
  /// Returns the flow as an entry in the result of `ListFlows`.
  fileprivate func vardict(_ schemas: FlowSchemas?, _ languages: [Translations.Language]) -> [String: Value] {
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

extension FlowHost {
  /// The entries in the result of `ListFlows`, with the names of their flows. Internal flows are never listed.
  var listedFlows: [(name: String, entry: [String: Value])] {
    let served = provider.withTable { $0.served }
    return catalogue.descriptions.filter { !$0.isInternal }.map { flow in
      var entry = flow.vardict(catalogue.schemas(of: flow.name), catalogue.translations.languages)
      if let served = served[flow.name] { entry["provider"] = .string(served.name.isEmpty ? served.owner ?? "" : served.name) }
      return (flow.name, entry)
    }
  }
}
