extension Coordinator {
  /// Returns what the user has answered on the way to this coordinator's top screen: the forms below it in the window, of
  /// this coordinator and of others, with what they held when they were sent. Secrets are not shown.
  ///
  /// Call it in ``screen(for:)``, for a screen that lets the user check the answers. When the user changes one, its form
  /// is shown again with what it held; everything above it is dismissed. No handler is called for that.
  ///
  /// ```swift
  /// case .summary:
  ///   .message("summary", title: "Check your answers", actions: [.primary(Do.apply, "Apply")]).reviewing(review())
  /// ```
  ///
  /// - Returns: the answers, first asked first.
  public func review() -> [ReviewRow] {
    guard let scope = context.scope else { return [] }
    // The answers that other flows were given are known only to the daemon, which puts them in.
    guard scope.transition.recording == nil else { return [.forms] }
    scope.transition.reviewers.insert(scope.path)
    return scope.transition.review(below: scope.path)
  }
}

extension Transition {
  /// Returns what the forms held that are below a coordinator's topmost screen.
  fileprivate func review(below path: CoordinatorPath) -> [ReviewRow] {
    guard let top = window.topScreen(of: path)?.id else { return [] }
    var rows: [ReviewRow] = []
    for screen in window.screens.prefix(while: { $0.id != top }) {
      guard let form = screen.content.form,
        let sent = after.coordinators[screen.coordinator]?.belongings.sent[screen.id]
      else { continue }
      let shown = form.schema.shownFields(in: sent)
      for field in form.fields where shown.contains(field.name) {
        guard let value = field.reviewed(sent[field.name]) else { continue }
        rows.append(ReviewRow(Text(verbatim: field.schema.title ?? field.name), Text(verbatim: value), on: screen.id))
      }
    }
    return rows
  }

  /// Shows the form of an answer that is to be changed, with what it held.
  ///
  /// - Throws: ``Refusal/notDismissable(_:)`` if the user could not go back there.
  mutating func change(answerOn payload: Payload, reviewedOn screen: ShownScreen) throws(Refusal) {
    guard let number = payload.integer("id"), number > 0 else { return }
    let target = ScreenID(UInt64(number))
    guard let owner = window[target]?.coordinator else { return }
    for above in window.screens.reversed().prefix(while: { $0.id != target }) where !above.back {
      throw .notDismissable("the answer cannot be changed any more: there is no way back from the screen \(above.content.name)")
    }
    if let index = window.screens.lastIndex(where: { $0.id == target }), index + 1 < window.screens.count {
      holdForms(leftBy: window.screens[index + 1])
    }
    dismiss(above: target, by: owner, animated: true)
    restoreForm()
    touched.insert(owner)
  }
}

extension Field {
  /// Returns the value of the field as people read it; nil for a secret or if it was not filled in.
  fileprivate func reviewed(_ value: JSONValue?) -> String? {
    if schema.isSecret { return "••••••" }
    guard let value else { return nil }
    return schema.reviewed(value)
  }
}

extension Schema {
  fileprivate func reviewed(_ value: JSONValue) -> String {
    switch (rule, value) {
    case (.choice(let choices), _): choices.first { $0.value == value }?.title ?? (value.string ?? value.canonicalText)
    case (.boolean, .boolean(let isOn)): isOn ? Text("yes").string : Text("no").string
    case (.list(let list), .array(let entries)): entries.map { list.items.reviewed($0) }.joined(separator: "\n")
    case (.object(let fields), .object(let values)):
      fields.compactMap { field in values[field.name].map { field.schema.reviewed($0) } }.joined(separator: ", ")
    case (_, .string(let text)): text
    default: value.canonicalText
    }
  }
}
