/// The parts of a screen that only some screens have.
final class ScreenExtras: Sendable, Hashable {
  /// The values of the parts.
  struct Values: Sendable, Hashable {
    var step: Step?
    var choosing: Choosing?
    var suggested: [String]?
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

  /// What the user is likely to choose, such as what was chosen here before; nil if the screen suggests nothing. See
  /// ``suggesting(_:)``.
  public var suggested: [String]? {
    get { extras?.values.suggested }
    set { change { $0.suggested = newValue } }
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

  /// The program that the screen comes from; nil for one of the daemon's own flows. The daemon says this, whatever the
  /// program describes.
  public var origin: ScreenOrigin? {
    get { extras?.values.origin }
    set { change { $0.origin = newValue } }
  }

  /// When ``until`` comes by the clock that nobody can set, in microseconds since the start of the machine
  /// (`CLOCK_BOOTTIME`), if a timer of a duration ends then; nil otherwise. Renderers count down to this rather than to
  /// ``until``, which is wrong once somebody sets the clock. The kit sets it, whatever an author does.
  public package(set) var elapses: UInt64? {
    get { extras?.values.elapses }
    set { if newValue != elapses { change { $0.elapses = newValue } } }
  }

  /// Returns the same screen with its place in a sequence of steps.
  ///
  /// - Parameters:
  ///   - number: the number of the step, from 1.
  ///   - count: how many steps there are; nil if that is not known.
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
  ///   - count: how many rows the user chooses, which ``Event/selections`` returns; nil for exactly one.
  ///   - initial: the ids of the rows that are chosen at first.
  /// - Returns: the screen.
  public func choosing(_ count: ClosedRange<Int>? = nil, initial: [String] = []) -> Screen {
    var screen = self
    screen.choosing = Choosing(initial: initial, count: count)
    return screen
  }

  /// Returns the same screen with a suggestion: what the user is likely to choose, such as what was chosen here before.
  ///
  /// Renderers show it as chosen at first, and the user still has to choose. An id that the screen does not offer, or
  /// that cannot be chosen now, is ignored. For forms, use the values.
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

  /// Returns the same list with several rows as its suggestion, instead of those that are chosen at first according to
  /// ``choosing(_:initial:)``.
  ///
  /// - Parameter ids: the ids of the rows. If there are none, no row is chosen at first.
  /// - Returns: the screen.
  public func suggesting(rows ids: [String]) -> Screen {
    var screen = self
    screen.suggested = ids
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
