import CoordinatorKit

/// The screens of the trial for several choices, for disabled choices, and for answers under review.
extension RendererTrialFlow {
  private static let drinks = [Item("tea", "Tea"), Item("coffee", "Coffee"), Item("water", "Water")]

  func choice(_ route: TrialStep, _ title: Text) -> Screen {
    switch route {
    case .suggested:
      .menu(
        route.rawValue, title: title, body: "One drink is suggested. Choose that one.",
        choices: Self.drinks.map { Action($0.id, Text(verbatim: $0.title)) }, suggested: "coffee")
    case .defaulted:
      .menu(
        route.rawValue, title: title, body: "One choice is ready, so that Enter sends it. Send it.",
        choices: [.destructive("erase", "Erase"), Action("keep", "Keep"), Action("copy", "Copy")]
      ).defaulting(to: "copy")
    case .several:
      .list(
        route.rawValue, title: title, body: "Coffee is already chosen. Choose tea and water instead of it, and send both.",
        items: Self.drinks
      ).choosing(1...2, initial: ["coffee"])
    case .preselected:
      .list(
        route.rawValue, title: title, body: "One drink is suggested. Choose that one.", items: Self.drinks
      ).choosing(initial: ["water"])
    case .disabledItem:
      .list(
        route.rawValue, title: title, body: "Why can Water not be chosen?",
        items: [Item("tea", "Tea"), Item("water", "Water", disabled: "It is frozen.")],
        actions: [Action("hot", "It is too hot"), Action("frozen", "It is frozen")])
    case .disabledAction:
      .menu(
        route.rawValue, title: title, body: "Why can Pay not be chosen?",
        choices: [
          Action("pay", "Pay").disabled(because: "The basket is empty."), Action("closed", "The shop is closed"),
          Action("empty", "The basket is empty"),
        ])
    case .confirmed:
      .message(
        route.rawValue, title: title, body: "Choose Erase. When a question appears, answer no or cancel. Then choose Keep.",
        actions: [.destructive("erase", "Erase").confirming("Really erase? Answer no."), Action("keep", "Keep")])
    default:
      .message(
        route.rawValue, title: title,
        body: state.drink == "water" ? "Confirm it." : "Change the drink to water, then confirm it.",
        actions: [.primary("done", "Done")]
      ).reviewing(review())
    }
  }
}
