extension Screen {
  /// A screen that asks its user to choose one of a few actions.
  ///
  /// - Parameters:
  ///   - name: what it is; stable.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - choices: what to choose from, in order; their ids are the events.
  ///   - messages: what it tells its user besides.
  /// - Returns: the screen.
  public static func menu(
    _ name: String, title: String, body: String = "", choices: [Action], messages: [ScreenMessage] = []
  ) -> Screen {
    Screen(name, kind: .menu, title: title, body: body, actions: choices, messages: messages)
  }

  /// A screen that asks its user to choose one of the cases of a type; ``Event/choice(as:)`` tells which.
  ///
  /// - Parameters:
  ///   - name: what it is; stable.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - choices: what to choose from, in order; their raw values are the events.
  ///   - messages: what it tells its user besides.
  /// - Returns: the screen.
  public static func menu<Choice: MenuChoice>(
    _ name: String, title: String, body: String = "", choices: [Choice], messages: [ScreenMessage] = []
  ) -> Screen {
    menu(name, title: title, body: body, choices: choices.map { Action($0.rawValue, $0.title) }, messages: messages)
  }

  /// A screen that tells its user something.
  ///
  /// - Parameters:
  ///   - name: what it is; stable.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - actions: what its user can do, in order.
  ///   - messages: what it tells its user besides.
  ///   - accent: a colour, `#RRGGBB`.
  /// - Returns: the screen.
  public static func message(
    _ name: String, title: String, body: String = "", actions: [Action] = [], messages: [ScreenMessage] = [],
    accent: String? = nil
  ) -> Screen {
    Screen(name, kind: .message, title: title, body: body, actions: actions, messages: messages, accent: accent)
  }

  /// A screen that shows rows to choose from; ``Event/selection`` tells which.
  ///
  /// - Parameters:
  ///   - name: what it is; stable.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - items: the rows, in order.
  ///   - actions: what its user can do besides, in order.
  ///   - messages: what it tells its user besides.
  /// - Returns: the screen.
  public static func list(
    _ name: String, title: String, body: String = "", items: [Item], actions: [Action] = [],
    messages: [ScreenMessage] = []
  ) -> Screen {
    Screen(name, kind: .list, title: title, body: body, actions: actions, items: items, messages: messages)
  }

  /// A screen with fields to fill in.
  ///
  /// - Parameters:
  ///   - name: what it is; stable.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - form: the fields.
  ///   - values: what is filled in already, by field; those of secret fields are dropped.
  ///   - actions: what its user can do, in order; the primary one takes what is filled in as its payload.
  ///   - messages: what it tells its user besides.
  /// - Returns: the screen.
  public static func form(
    _ name: String, title: String, body: String = "", form: Form, values: [String: JSONValue] = [:],
    actions: [Action], messages: [ScreenMessage] = []
  ) -> Screen {
    Screen(
      name, kind: .form, title: title, body: body, actions: actions, form: form, values: values, messages: messages)
  }

  /// A screen that shows how far something has come.
  ///
  /// - Parameters:
  ///   - name: what it is; stable.
  ///   - title: the heading.
  ///   - body: the text below the heading.
  ///   - progress: how far it has come.
  ///   - actions: what its user can do meanwhile, in order.
  ///   - messages: what it tells its user besides.
  /// - Returns: the screen.
  public static func progress(
    _ name: String, title: String, body: String = "", progress: Progress, actions: [Action] = [],
    messages: [ScreenMessage] = []
  ) -> Screen {
    Screen(
      name, kind: .progress, title: title, body: body, actions: actions, messages: messages, progress: progress)
  }
}

extension Screen {
  /// The same screen while work is under way: it shows that it is busy, and what it is for cannot be done a second time, since its
  /// primary action is gone. The others stay: this is how work is cancelled.
  ///
  /// - Parameter text: what is being done.
  /// - Returns: the busy screen.
  public func busy(_ text: String? = nil) -> Screen {
    var screen = self
    screen.progress = Progress(text: text)
    screen.actions.removeAll { $0.role == .primary }
    return screen
  }
}

/// A type whose cases are the choices of a menu or of a field: the raw value is the event, or what the payload holds; the title is
/// what the user reads.
public protocol MenuChoice: RawRepresentable<String>, Sendable {
  /// What the user reads.
  var title: String { get }
}
