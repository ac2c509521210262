import Forms

extension ScriptLog {
  /// The format that this version writes.
  package static let format = "script/1"

  /// Reads a log.
  ///
  /// - Throws: ``UnreadableLog``.
  package init(json: JSONValue) throws(UnreadableLog) {
    if let format = json["format"]?.string, format != Self.format {
      throw UnreadableLog("the log has the format \(format), which this version does not know")
    }
    self.init(
      input: json["input"]?.object ?? [:], version: UInt32(exactly: json["version"]?.integer ?? 1) ?? 1,
      digest: json["digest"]?.string ?? "",
      features: Set((json["features"]?.strings ?? []).compactMap(ScriptFeature.init(rawValue:)).filter(\.belongsToRun)))
    for entry in json["entries"]?.array ?? [] { entries.append(try LogEntry(json: entry)) }
    suggestions = (json["suggestions"]?.object ?? [:]).mapValues { RecordedAnswer(json: $0) }
    isAgain = json["again"]?.boolean ?? false
    undoing = json["undoing"]?.integer.flatMap { Int(exactly: $0) }.flatMap { (0...entries.count).contains($0) ? $0 : nil }
    notices = (json["notices"]?.array ?? []).compactMap { $0["code"]?.string.flatMap(Notice.init(rawValue:)) }
    running = json["running"]?.string
    begun = (json["begun"]?.object ?? [:]).compactMapValues { $0.integer.flatMap { UInt64(exactly: $0) } }
    stumbles = json["stumbles"].map { json in
      Stumbles(
        count: UInt64(exactly: json["count"]?.integer ?? 0) ?? 0, isMisfit: json["misfit"]?.boolean ?? false,
        reason: json["reason"]?.string ?? "")
    }
    rounds = UInt64(exactly: json["rounds"]?.integer ?? 0) ?? 0
    roundStart = json["round"]?.integer.flatMap { UInt64(exactly: $0) }
    works = UInt64(exactly: json["works"]?.integer ?? 0) ?? 0
  }

  /// The log as the protocol describes it. The same log always gives the same text.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "version": .integer(Int64(version)), "input": .object(input),
      "entries": .array(entries.map(\.json)),
    ]
    if !digest.isEmpty { members["digest"] = .string(digest) }
    if !suggestions.isEmpty { members["suggestions"] = .object(suggestions.mapValues(\.json)) }
    if !features.isEmpty { members["features"] = .strings(features.map(\.rawValue).sorted()) }
    if isAgain { members["again"] = true }
    members["undoing"] = undoing.map { .integer(Int64($0)) }
    if !notices.isEmpty { members["notices"] = .array(notices.map(\.json)) }
    members["running"] = running.map { .string($0) }
    members["stumbles"] = stumbles.map { stumbles in
      [
        "count": .integer(Int64(clamping: stumbles.count)), "misfit": .boolean(stumbles.isMisfit),
        "reason": .string(stumbles.reason),
      ]
    }
    if !begun.isEmpty { members["begun"] = .object(begun.mapValues { .integer(Int64(clamping: $0)) }) }
    if rounds > 0 { members["rounds"] = .integer(Int64(clamping: rounds)) }
    members["round"] = roundStart.map { .integer(Int64(clamping: $0)) }
    if works > 0 { members["works"] = .integer(Int64(clamping: works)) }
    return .object(members)
  }

  /// The log as text, which the daemon stores.
  package var text: String { json.wholeText }
}

extension JSONValue {
  /// The value as JSON text on one line, with members that are null: a step may have the result null.
  package var wholeText: String { text(omittingNulls: false) }
}
