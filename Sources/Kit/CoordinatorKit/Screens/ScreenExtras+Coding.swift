import DBusValues

/// The parts of a screen that only some screens have, as dictionaries of the contract.
extension Screen {
  mutating func readExtras(_ reader: VardictReader) throws(MalformedScreen) {
    if let step = try reader.dictionary(.step) { self.step = try Step(step) }
    if let choosing = try reader.dictionary(.choosing) { self.choosing = try Choosing(choosing) }
    suggested = try reader.optional(.suggested, \.ids)
    if let blocks = try reader.list(.blocks, Markup.Block.init) { markup = Markup(blocks: blocks) }
    if let picture = try reader.dictionary(.picture) { self.picture = try Picture(picture) }
    if let review = try reader.list(.review, ReviewRow.init) { self.review = review }
    if let origin = try reader.dictionary(.origin) { self.origin = try ScreenOrigin(origin) }
    elapses = try reader.optional(.elapses, \.uint64)
  }
}

extension ScreenExtras.Values {
  /// Returns the keys for which there is one thing and the other; nil for nothing at all.
  static func keysThatDiffer(_ one: Self?, _ other: Self?) -> Set<ScreenKey> {
    Set(ScreenKey.allCases.filter { one?.value(of: $0) != other?.value(of: $0) })
  }

  /// Returns what there is for a key; nil for nothing, and for a key of something else.
  func value(of key: ScreenKey) -> Value? {
    switch key {
    case .step: step.map { .vardict($0.vardict) }
    case .choosing: choosing.map { .vardict($0.vardict) }
    case .suggested: suggested.map(Value.strings)
    case .blocks: markup.map { .vardicts($0.blocks.map(\.vardict)) }
    case .picture: picture.map { .vardict($0.vardict) }
    case .review: review.isEmpty ? nil : .vardicts(review.map(\.vardict))
    case .origin: origin.map { .vardict($0.vardict) }
    case .elapses: elapses.map(Value.uint64)
    case .id, .coordinator, .style, .layer, .name, .kind, .title, .body, .actions, .items, .values, .messages, .progress,
      .accent, .until, .schema, .fields, .back, .leaves, .draft:
      nil
    }
  }
}

extension Step {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    self.init(try reader.required("number", \.count), of: try reader.optional("count", \.count))
  }

  var vardict: [String: Value] {
    var result: [String: Value] = ["number": .uint64(UInt64(number))]
    if let count { result["count"] = .uint64(UInt64(count)) }
    return result
  }
}

extension Choosing {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    let initial = try reader.optional("initial") { $0.elements.map { $0.compactMap(\.string) } } ?? []
    let least = try reader.optional("min", \.count)
    let most = try reader.optional("max", \.count)
    guard let most else {
      self.init(initial: initial)
      return
    }
    guard least ?? 0 <= most else { throw reader.malformed("min") }
    self.init(initial: initial, count: (least ?? 0)...most)
  }

  var vardict: [String: Value] {
    var result: [String: Value] = [:]
    if !initial.isEmpty { result["initial"] = .strings(initial) }
    if let count {
      result["min"] = .uint64(UInt64(count.lowerBound))
      result["max"] = .uint64(UInt64(count.upperBound))
    }
    return result
  }
}

extension Markup.Block {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    self.init(
      try reader.required("kind") { $0.string.flatMap(Kind.init(rawValue:)) },
      try reader.requiredList("spans", Markup.Span.init))
  }

  var vardict: [String: Value] { ["kind": .string(kind.rawValue), "spans": .vardicts(spans.map(\.vardict))] }
}

extension Markup.Span {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    let style = try reader.optional("style", \.string)
    self.init(
      try reader.required("text", \.string), style.flatMap(Style.init(rawValue:)),
      link: try reader.optional("link", \.string))
  }

  var vardict: [String: Value] {
    var result: [String: Value] = ["text": .string(text)]
    if let style { result["style"] = .string(style.rawValue) }
    if let link { result["link"] = .string(link) }
    return result
  }
}

extension Picture {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    reader.mayHave("type", "base64", "description")
    if let code = try reader.optional("code", \.string) {
      self = .code(code)
      return
    }
    let bytes = try reader.required("base64") { $0.string.flatMap { Base64.decode($0) } }
    guard let image = Image(bytes) else { throw reader.malformed("base64") }
    self = .image(image, description: try reader.required("description", \.string))
  }

  var vardict: [String: Value] {
    switch self {
    case .code(let text): ["code": .string(text)]
    case .image(let image, let description):
      [
        "type": .string(image.format.rawValue), "base64": .string(Base64.encode(image.bytes)),
        "description": .string(description),
      ]
    }
  }
}

extension ReviewRow {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    let isForms = try reader.optional("forms") { .some($0.bool ?? false) } ?? false
    let row = ReviewRow(
      Text(verbatim: try reader.required("title", \.string)), Text(verbatim: try reader.required("value", \.string)),
      on: try reader.optional("screen", \.uint64).map { ScreenID($0) })
    self = isForms ? .forms : row
  }

  var vardict: [String: Value] {
    var result: [String: Value] = ["title": .string(title), "value": .string(value)]
    if self == .forms { return result.merging(["forms": .boolean(true)]) { $1 } }
    if let screen { result["screen"] = .uint64(screen.number) }
    return result
  }
}

extension ScreenOrigin {
  fileprivate init(_ reader: VardictReader) throws(MalformedScreen) {
    self.init(name: try reader.required("name", \.string), title: try reader.optional("title", \.string))
  }

  var vardict: [String: Value] {
    var result: [String: Value] = ["name": .string(name)]
    if let title { result["title"] = .string(title) }
    return result
  }
}

extension Value {
  /// Several ids, or a single one; nil for anything else.
  fileprivate var ids: [String]? {
    if let string { return [string] }
    guard let elements else { return nil }
    let strings = elements.compactMap(\.string)
    return strings.count == elements.count ? strings : nil
  }

  /// A number that is not negative and fits.
  fileprivate var count: Int? { uint64.flatMap { Int(exactly: $0) } }
}
