import Platform

/// What a renderer shows: pure data, computed from a coordinator's state for one of its routes.
///
/// A screen does not refer to other screens, and does not know where it is shown. To create one, use the functions
/// named after the kinds:
///
/// ```swift
/// .menu("size", title: "How large?", choices: Size.allCases)
/// ```
public struct Screen: Sendable, Hashable {
  /// How to draw a screen.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Asks the user to choose one of a few actions.
    case menu
    /// Asks the user to fill in fields.
    case form
    /// Shows rows to choose from.
    case list
    /// Informs the user.
    case message
    /// Shows progress.
    case progress
  }

  /// The stable name of the screen, such as `select-visit-type`, for renderers that draw some screens specially.
  public var name: String
  /// How to draw the screen.
  public var kind: Kind
  /// The heading.
  public var title: String
  /// The text below the heading; may be empty.
  public var body: String
  /// The actions that the user can choose, in order. On a menu, these are the choices.
  public var actions: [Action]
  /// The rows of a list, in order.
  public var items: [Item]?
  /// The fields of a form, which define the payload of its primary action.
  public var form: Form?
  /// The initial values of a form, by field. Values of secret fields are dropped before a screen is shown.
  public var values: [String: JSONValue]
  /// Further messages to the user.
  public var messages: [ScreenMessage]
  /// The progress of the work on the screen; a screen with progress is busy.
  public var progress: Progress?
  /// The accent color, `#RRGGBB`.
  public var accent: String?
  /// The time of an automatic change, by the wall clock; renderers count down to it. See ``countingDown(to:)`` and ``elapses``.
  public var until: Timestamp?
  /// The optional properties; nil if all are absent. In a separate allocation, because most screens have none.
  var extras: ScreenExtras?

  /// Creates a screen from all of its parts; see the properties of the same names. The functions named after the kinds
  /// are more convenient.
  public init(
    _ name: String, kind: Kind, title: String, body: String = "", actions: [Action] = [], items: [Item]? = nil,
    form: Form? = nil, values: [String: JSONValue] = [:], messages: [ScreenMessage] = [], progress: Progress? = nil,
    accent: String? = nil, until: Timestamp? = nil
  ) {
    self.name = name
    self.kind = kind
    self.title = title
    self.body = body
    self.actions = actions
    self.items = items
    self.form = form
    self.values = values
    self.messages = messages
    self.progress = progress
    self.accent = accent
    self.until = until
  }
}

extension Screen {
  /// Returns a screen that asks the user to choose one of a few actions.
  ///
  /// - Parameters:
  ///   - name: the stable name of the screen.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - choices: the actions to choose from, in order; their ids are the events.
  ///   - suggested: the id of the action that the user is likely to choose; see ``suggesting(_:)``.
  ///   - messages: further messages to the user.
  /// - Returns: the screen.
  public static func menu(
    _ name: String, title: Text, body: Text = "", choices: [Action], suggested: String? = nil, messages: [ScreenMessage] = []
  ) -> Screen {
    Screen(name, kind: .menu, title: title.string, body: body.string, actions: choices, messages: messages)
      .suggesting(suggested)
  }

  /// Returns a screen that asks the user to choose one of the cases of a type. ``Event/choice(as:)`` returns the
  /// choice.
  ///
  /// - Parameters:
  ///   - name: the stable name of the screen.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - choices: the values to choose from, in order; their raw values are the events.
  ///   - suggested: the value that the user is likely to choose, such as the one that was chosen before; see
  ///     ``suggesting(_:)``.
  ///   - messages: further messages to the user.
  /// - Returns: the screen.
  public static func menu<Choice: MenuChoice>(
    _ name: String, title: Text, body: Text = "", choices: [Choice], suggested: Choice? = nil, messages: [ScreenMessage] = []
  ) -> Screen {
    menu(
      name, title: title, body: body, choices: choices.map { Action($0.rawValue, $0.title) }, suggested: suggested?.rawValue,
      messages: messages)
  }

  /// Returns a screen that informs the user.
  ///
  /// - Parameters:
  ///   - name: the stable name of the screen.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - actions: the actions that the user can choose, in order.
  ///   - messages: further messages to the user.
  ///   - accent: the accent color, `#RRGGBB`.
  /// - Returns: the screen.
  public static func message(
    _ name: String, title: Text, body: Text = "", actions: [Action] = [], messages: [ScreenMessage] = [],
    accent: String? = nil
  ) -> Screen {
    Screen(name, kind: .message, title: title.string, body: body.string, actions: actions, messages: messages, accent: accent)
  }

  /// Returns a screen with rows to choose from. ``Event/selection`` is the id of the chosen row.
  ///
  /// - Parameters:
  ///   - name: the stable name of the screen.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - items: the rows, in order.
  ///   - actions: further actions that the user can choose, in order.
  ///   - messages: further messages to the user.
  /// - Returns: the screen.
  public static func list(
    _ name: String, title: Text, body: Text = "", items: [Item], actions: [Action] = [],
    messages: [ScreenMessage] = []
  ) -> Screen {
    Screen(name, kind: .list, title: title.string, body: body.string, actions: actions, items: items, messages: messages)
  }

  /// Returns a screen with fields to fill in.
  ///
  /// - Parameters:
  ///   - name: the stable name of the screen.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - form: the fields.
  ///   - values: the initial values, by field; values of secret fields are dropped.
  ///   - actions: the actions that the user can choose, in order; the primary one sends the fields as its payload.
  ///   - messages: further messages to the user.
  /// - Returns: the screen.
  public static func form(
    _ name: String, title: Text, body: Text = "", form: Form, values: [String: JSONValue] = [:],
    actions: [Action], messages: [ScreenMessage] = []
  ) -> Screen {
    Screen(
      name, kind: .form, title: title.string, body: body.string, actions: actions, form: form, values: values, messages: messages)
  }

  /// Returns a screen that shows progress.
  ///
  /// - Parameters:
  ///   - name: the stable name of the screen.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - progress: the progress to show.
  ///   - actions: the actions that the user can choose meanwhile, in order.
  ///   - messages: further messages to the user.
  /// - Returns: the screen.
  public static func progress(
    _ name: String, title: Text, body: Text = "", progress: Progress, actions: [Action] = [],
    messages: [ScreenMessage] = []
  ) -> Screen {
    Screen(
      name, kind: .progress, title: title.string, body: body.string, actions: actions, messages: messages, progress: progress)
  }
}

extension Screen {
  /// Returns the same screen with a countdown, which renderers draw.
  ///
  /// ```swift
  /// return offer.countingDown(to: due(.offerEnds))
  /// ```
  ///
  /// - Parameter time: the time of the automatic change; nil for no countdown.
  /// - Returns: the screen with the countdown.
  public func countingDown(to time: Timestamp?) -> Screen {
    var screen = self
    screen.until = time
    return screen
  }

  /// Returns the same screen, marked as busy while work runs.
  ///
  /// The primary action is removed, so that the user cannot start the work a second time. The other actions stay, so
  /// that the work can be cancelled.
  ///
  /// ```swift
  /// return runningWork.isEmpty ? form : form.busy("Checking the password")
  /// ```
  ///
  /// - Parameter text: a description of the work.
  /// - Returns: the busy screen.
  public func busy(_ text: Text? = nil) -> Screen {
    var screen = self
    screen.progress = Progress(text: text)
    screen.actions.removeAll { $0.role == .primary }
    return screen
  }
}

extension Screen {
  /// Throws if renderers could not show the screen, or could not identify its parts.
  ///
  /// The same rules apply to screens of Swift actors, of programs on the bus, and of scripts: the ids of actions and rows are
  /// unique, the default is not destructive, an accent is a color, and the form can be used to check payloads.
  ///
  /// - Throws: ``MalformedScreen`` for the first problem.
  public func validate() throws(MalformedScreen) { try validate(since: nil) }

  /// Throws if the screen is malformed. Parts that are equal in an earlier version are not validated again.
  ///
  /// - Parameter shown: the version that is shown now; nil for none.
  /// - Throws: ``MalformedScreen`` for the first problem.
  func validate(since shown: Screen?) throws(MalformedScreen) {
    if let accent, accent != shown?.accent, !Self.isColor(accent) {
      throw MalformedScreen(key: "accent", reason: "must be a color as #RRGGBB, such as #2F5BD3")
    }
    if actions != shown?.actions { try Self.requireUnique(actions.lazy.map(\.id), "actions") }
    if let items, items != shown?.items { try Self.requireUnique(items.lazy.map(\.id), "items") }
    if let defaultChoice { try requireHarmless(defaultChoice) }
    guard let form, form != shown?.form else { return }
    do { try form.validate() } catch { throw MalformedScreen(key: "schema", reason: error.description) }
  }

  private func requireHarmless(_ id: String) throws(MalformedScreen) {
    guard actions.contains(where: { $0.role == .destructive && $0.id.bytes.equals(id) }) else { return }
    throw MalformedScreen(
      key: ScreenKey.default.rawValue,
      reason: "'\(id.prefix(100))' is a destructive action, which Enter must not choose; name another one, or none")
  }

  private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
      && text.utf8.dropFirst().allSatisfy { $0.hexadecimalDigit != nil }
  }

  private static func requireUnique(_ ids: some Collection<String>, _ key: String) throws(MalformedScreen) {
    guard ids.count > 1 else { return }
    var seen = Set<TextBytes>(minimumCapacity: ids.count)
    for id in ids where !seen.insert(id.bytes).inserted {
      throw MalformedScreen(key: "\(key).id", reason: "'\(id.prefix(100))' occurs twice, so that nobody can tell which was meant")
    }
  }
}
