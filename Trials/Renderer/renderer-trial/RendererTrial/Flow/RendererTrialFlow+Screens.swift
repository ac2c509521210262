import CoordinatorKit

/// The screens of the trial. Each contains the instructions for its user.
extension RendererTrialFlow {
  package func screen(for route: TrialStep) -> Screen {
    let number = (steps.firstIndex(of: route) ?? 0) + 1
    let title = Text(verbatim: "\(number) of \(steps.count): \(route.title)")
    return switch route {
    case .message:
      .message(
        route.rawValue, title: title,
        body: "This trial shows every kind of screen, and asks for one thing on each.\n\nA second paragraph. Begin.",
        actions: [.primary("begin", "Begin")])
    case .menu:
      .menu(
        route.rawValue, title: title, body: "Choose the third.",
        choices: [
          Action("first", "First"), .primary("second", "Second"), .destructive("third", "Third"), .cancel("fourth", "Fourth"),
        ])
    case .list, .longList, .emptyList: list(route, title)
    case .suggested, .defaulted, .several, .preselected, .disabledItem, .disabledAction, .confirmed, .review: choice(route, title)
    case .messages:
      .message(
        route.rawValue, title: title, body: "What does the warning say?",
        actions: [Action("gap", "Mind the gap"), Action("step", "Mind the step")],
        messages: [.info("note", "This is a note."), .warning("mind", "Mind the step"), .error("bad", "This is an error.")])
    case .busy:
      .progress(
        route.rawValue, title: title, body: "Wait: it continues automatically.", progress: Progress(fraction: 0, text: "Begun"),
        actions: [.cancel("cancel", "Do not wait")])
    case .replaced:
      .menu(
        route.rawValue, title: title, body: "Wait: another renderer will answer this screen in a moment.",
        choices: [Action("elsewhere", "Answer it yourself")])
    case .answered:
      .menu(
        route.rawValue, title: title, body: "Were you told that the last screen was answered elsewhere?",
        choices: [Action("told", "I was told"), Action("not-told", "I was not told")])
    case .modal:
      .message(
        route.rawValue, title: title, body: "This screen is on top of the last one. Go back.",
        actions: [Action("stuck", "There is no way back")])
    case .locked:
      .message(
        route.rawValue, title: title, body: "Is there a way back from here?",
        actions: [Action("none", "There is none"), Action("some", "There is one")])
    case .restart:
      .message(
        route.rawValue, title: title, body: "The daemon is killed now, and comes back. When it is back, confirm it.",
        actions: [Action("back", "It is back")])
    case .end:
      .message(route.rawValue, title: title, body: "That is all.", actions: [.primary("end", "End")])
    case .form, .wrong, .draft, .typing, .secret, .toReview: form(route, title)
    }
  }

  private func list(_ route: TrialStep, _ title: Text) -> Screen {
    switch route {
    case .list:
      .list(
        route.rawValue, title: title, body: "Choose the one whose second line says “here”.",
        items: [
          Item("one", "Twin", subtitle: "not here"), Item("two", "Twin", subtitle: "here 水"),
          Item("three", "Twin", subtitle: "nor here"),
        ])
    case .longList:
      .list(
        route.rawValue, title: title, body: "Choose number 1234.",
        items: (1...2_000).map { Item("n\($0)", verbatim: "Number \($0)") })
    default:
      .list(
        route.rawValue, title: title, body: "This list is empty. Confirm it.", items: [],
        actions: [Action("nothing", "There is nothing")])
    }
  }

  private func form(_ route: TrialStep, _ title: Text) -> Screen {
    let (body, form, values): (String, Form, [String: JSONValue]) =
      switch route {
      case .wrong:
        (
          "Enter 12 and tea, and send. When the error appears, change 12 to 1234 and send again: tea must still be there.",
          Form(
            Field("number", .string(title: "Number", summary: "Four digits", pattern: "^[0-9]{4}$")),
            Field("word", .string(title: "Word", length: 1...20))), [:]
        )
      case .draft:
        (
          "Another renderer will type in this form in a moment. When the text appears, send it unchanged.",
          Form(Field("text", .string(title: "Text", length: 1...40))), [:]
        )
      case .typing:
        (
          state.isUpdated ? "NOW: send it." : "Enter “mine”, do not send it, and wait until this says NOW.",
          Form(Field("own", .string(title: "Yours")), Field("other", .string(title: "Not yours"))),
          state.isUpdated ? ["own": "overwritten", "other": "new"] : ["own": "", "other": "old"]
        )
      case .toReview:
        (
          state.drink == nil ? "Enter: tea" : "Change it to: water",
          Form(Field("drink", .string(title: "Drink", length: 1...20))), [:]
        )
      case .secret:
        ("Enter: swordfish", Form(Field("word", .secret(title: "Secret", length: 1...64))), [:])
      default:
        ("Each field says what to enter.", TrialForm.form, TrialForm.values)
      }
    return .form(
      route.rawValue, title: title, body: Text(verbatim: body), form: form, values: values, actions: [.primary("send", "Send")])
  }
}
