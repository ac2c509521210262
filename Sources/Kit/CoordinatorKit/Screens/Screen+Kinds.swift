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
  /// - Parameter time: when something happens by itself; nil for no countdown.
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
