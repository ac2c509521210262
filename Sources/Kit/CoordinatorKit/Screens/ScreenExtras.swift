import DBusValues

/// The parts of a screen that only some screens have.
final class ScreenExtras: Sendable, Hashable {
  /// The values of the parts.
  struct Values: Sendable, Hashable {
    var step: Step?
    var choosing: Choosing?
    var suggested: [String]?
    var defaultChoice: String?
    var markup: Markup?
    var picture: Picture?
    var review: [ReviewRow] = []
    var origin: ScreenOrigin?
    var elapses: UInt64?
  }

  let values: Values

  /// Creates the parts; nil if there is none.
  init?(_ values: Values) {
    if values == Values() { return nil }
    self.values = values
  }

  static func == (one: ScreenExtras, other: ScreenExtras) -> Bool { one === other || one.values == other.values }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension Screen {
  private mutating func change(_ body: (inout ScreenExtras.Values) -> Void) {
    var parts = extras?.values ?? ScreenExtras.Values()
    body(&parts)
    extras = ScreenExtras(parts)
  }

  /// The place of the screen in a sequence of steps; nil for none.
  public var step: Step? {
    get { extras?.values.step }
    set { change { $0.step = newValue } }
  }

  /// How rows of the list are chosen; nil for exactly one, without a suggestion.
  public var choosing: Choosing? {
    get { extras?.values.choosing }
    set { change { $0.choosing = newValue } }
  }

  /// The likely choice of the user, such as an earlier choice; nil if the screen suggests nothing. See ``suggesting(_:)``.
  public var suggested: [String]? {
    get { extras?.values.suggested }
    set { change { $0.suggested = newValue } }
  }

  /// The id of the action or, on a list, of the row at which the cursor begins, and which Enter chooses, unless there is a
  /// suggestion; nil if the screen does not say. See ``defaulting(to:)``.
  public var defaultChoice: String? {
    get { extras?.values.defaultChoice }
    set { if newValue != defaultChoice { change { $0.defaultChoice = newValue } } }
  }

  /// The structure of ``body``; nil if it is plain text.
  public var markup: Markup? {
    get { extras?.values.markup }
    set { change { $0.markup = newValue } }
  }

  /// A picture below the body; nil for none.
  public var picture: Picture? {
    get { extras?.values.picture }
    set { change { $0.picture = newValue } }
  }

  /// The answers under review, in order; see ``Coordinator/review()``.
  public var review: [ReviewRow] {
    get { extras?.values.review ?? [] }
    set { change { $0.review = newValue } }
  }

  /// The program that the screen comes from; nil for one of the daemon's own flows. The daemon sets this value, and ignores the
  /// program's description.
  public var origin: ScreenOrigin? {
    get { extras?.values.origin }
    set { change { $0.origin = newValue } }
  }

  /// The time of ``until`` by the monotonic clock, in microseconds since the start of the machine (`CLOCK_BOOTTIME`), if a
  /// timer of a duration ends then; nil otherwise. Renderers count down to this time rather than to ``until``, which is wrong
  /// after the clock is set. The kit sets it; an author cannot.
  public package(set) var elapses: UInt64? {
    get { extras?.values.elapses }
    set { if newValue != elapses { change { $0.elapses = newValue } } }
  }

  /// Returns the same screen with its place in a sequence of steps.
  ///
  /// - Parameters:
  ///   - number: the number of the step, from 1.
  ///   - count: the number of steps; nil if unknown.
  /// - Returns: the screen.
  public func step(_ number: Int, of count: Int? = nil) -> Screen {
    var screen = self
    screen.step = Step(number, of: count)
    return screen
  }

  /// Returns the same list with another way of choosing.
  ///
  /// ```swift
  /// .list("zones", title: "Time zone", items: zones).choosing(initial: ["Europe/Berlin"])
  /// .list("packages", title: "Packages", items: packages).choosing(1...3)
  /// ```
  ///
  /// - Parameters:
  ///   - count: the number of rows that the user chooses, which ``Event/selections`` returns; nil for exactly one.
  ///   - initial: the ids of the rows that are initially chosen.
  /// - Returns: the screen.
  public func choosing(_ count: ClosedRange<Int>? = nil, initial: [String] = []) -> Screen {
    var screen = self
    screen.choosing = Choosing(initial: initial, count: count)
    return screen
  }

  /// Returns the same screen with a suggestion: the likely choice of the user, such as an earlier choice.
  ///
  /// Renderers show it as initially chosen, and the user still makes the choice. An id that the screen does not offer, or that
  /// cannot be chosen now, is ignored. For forms, use the values.
  ///
  /// ```swift
  /// .menu("size", title: "How large?", choices: Size.allCases, suggested: state.size)
  /// .list("networks", title: "Which network?", items: networks).suggesting(state.network)
  /// ```
  ///
  /// - Parameter id: the id of an action or, on a list, of a row; nil for no suggestion.
  /// - Returns: the screen.
  public func suggesting(_ id: String?) -> Screen {
    guard id != nil || suggested != nil else { return self }
    var screen = self
    screen.suggested = id.map { [$0] }
    return screen
  }

  /// Returns the same list with several rows as its suggestion, which replace the initially chosen rows of
  /// ``choosing(_:initial:)``.
  ///
  /// - Parameter ids: the ids of the rows. If there are none, no row is initially chosen.
  /// - Returns: the screen.
  public func suggesting(rows ids: [String]) -> Screen {
    var screen = self
    screen.suggested = ids
    return screen
  }

  /// Returns the same screen with a default: the choice at which the cursor begins, and which Enter makes. A suggestion, such
  /// as the choice that the user made before, takes precedence.
  ///
  /// ```swift
  /// .message("erase", title: "Erase it?", actions: [.destructive("erase", "Erase"), .normal("keep", "Keep")]).defaulting(to: "keep")
  /// ```
  ///
  /// A destructive action is never a default: the screen is then malformed. An id that the screen does not offer, or that cannot
  /// be chosen now, is ignored. Without a default, renderers begin at the first choice that is not destructive.
  ///
  /// - Parameter id: the id of an action or, on a list, of a row; nil for no default.
  /// - Returns: the screen.
  public func defaulting(to id: String?) -> Screen {
    var screen = self
    screen.defaultChoice = id
    return screen
  }

  /// Returns the same screen with a structured text as its body.
  ///
  /// - Parameter markup: the text. ``body`` becomes its plain form.
  /// - Returns: the screen.
  public func with(_ markup: Markup) -> Screen {
    var screen = self
    screen.body = markup.plain
    screen.markup = markup
    return screen
  }

  /// Returns the same screen with a picture.
  ///
  /// - Parameter picture: the picture; nil for none.
  /// - Returns: the screen.
  public func with(_ picture: Picture?) -> Screen {
    var screen = self
    screen.picture = picture
    return screen
  }

  /// Returns the same screen with answers under review.
  ///
  /// ```swift
  /// .message("summary", title: "Check your answers", actions: [.primary(Do.apply, "Apply")]).reviewing(review())
  /// ```
  ///
  /// - Parameter rows: the answers.
  /// - Returns: the screen.
  public func reviewing(_ rows: [ReviewRow]) -> Screen {
    var screen = self
    screen.review = rows
    return screen
  }
}

/// The parts of a screen that only some screens have, as dictionaries of the contract.
extension Screen {
  mutating func readExtras(_ reader: VardictReader) throws(MalformedScreen) {
    if let step = try reader.dictionary(.step) { self.step = try Step(step) }
    if let choosing = try reader.dictionary(.choosing) { self.choosing = try Choosing(choosing) }
    suggested = try reader.optional(.suggested, \.ids)
    defaultChoice = try reader.optional(.default, \.string)
    if let blocks = try reader.list(.blocks, Markup.Block.init) { markup = Markup(blocks: blocks) }
    if let picture = try reader.dictionary(.picture) { self.picture = try Picture(picture) }
    if let review = try reader.list(.review, ReviewRow.init) { self.review = review }
    if let origin = try reader.dictionary(.origin) { self.origin = try ScreenOrigin(origin) }
    elapses = try reader.optional(.elapses, \.uint64)
  }
}

extension ScreenExtras.Values {
  /// Returns the keys whose values differ. Nil stands for parts of which none has a value.
  static func keysThatDiffer(_ one: Self?, _ other: Self?) -> Set<ScreenKey> {
    Set(ScreenKey.allCases.filter { one?.value(of: $0) != other?.value(of: $0) })
  }

  /// Returns the value for a key; nil if there is none, and for a key of another part.
  func value(of key: ScreenKey) -> Value? {
    switch key {
    case .step: step.map { .vardict($0.vardict) }
    case .choosing: choosing.map { .vardict($0.vardict) }
    case .suggested: suggested.map(Value.strings)
    case .default: defaultChoice.map(Value.string)
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
    var row = ReviewRow(
      Text(verbatim: try reader.required("title", \.string)), Text(verbatim: try reader.required("value", \.string)),
      on: try reader.optional("screen", \.uint64).map { ScreenID($0) })
    row.key = try reader.optional("key", \.string)
    self = isForms ? .forms : row
  }

  var vardict: [String: Value] {
    var result: [String: Value] = ["title": .string(title), "value": .string(value)]
    if self == .forms { return result.merging(["forms": .boolean(true)]) { $1 } }
    if let screen { result["screen"] = .uint64(screen.number) }
    if let key { result["key"] = .string(key) }
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
  /// The ids in an array or in a single string; nil for any other value.
  fileprivate var ids: [String]? {
    if let string { return [string] }
    guard let elements else { return nil }
    let strings = elements.compactMap(\.string)
    return strings.count == elements.count ? strings : nil
  }

  /// A nonnegative number that fits in `Int`; nil otherwise.
  fileprivate var count: Int? { uint64.flatMap { Int(exactly: $0) } }
}
