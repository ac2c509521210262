import CoordinatorKit

extension FirstBoot {
  /// The settings that will be applied, each with a way back to its question.
  var reviewScreen: Screen {
    let answers = state.answers
    let network = children.first { $0.isInstance(of: NetworkSetup.self) }
    let user = children.first { $0.isInstance(of: UserSetup.self) }
    let userScreen = state.isUserFixed ? nil : user.flatMap(router.screen(of:)) ?? router.screen(of: .hostName)
    let rows = [
      ReviewRow("Language", Text(verbatim: answers.language), on: router.screen(of: .language)),
      ReviewRow("Keyboard", Text(verbatim: answers.keyboard), on: router.screen(of: .keyboard)),
      ReviewRow("Time zone", Text(verbatim: answers.timeZone), on: router.screen(of: .timeZone)),
      ReviewRow("Host name", Text(verbatim: answers.host.name), on: router.screen(of: .hostName)),
      ReviewRow(
        "Network", answers.network.map { Text(verbatim: $0.network.name) } ?? "None",
        on: network.flatMap(router.screen(of:)) ?? router.screen(of: .hostName)),
      ReviewRow(
        "User", Text("{name} ({login})", ["name": answers.user.name, "login": answers.user.login]), on: userScreen),
    ]
    return .message("review", title: "Check your answers", actions: [.primary(Do.apply, "Apply")]).reviewing(rows)
  }

  /// The settings that were applied, and those that were not.
  var doneScreen: Screen {
    let failed = SetupStep.allCases.compactMap { step -> Markup.Block? in
      guard case .failed(let reason) = state.results[step] else { return nil }
      return .bullet(Text("{step}: {reason}", ["step": step.title, "reason": reason]))
    }
    let applied = SetupStep.allCases.filter(state.isApplied).map { Markup.Block.bullet($0.title) }
    let isDone = failed.isEmpty
    return Screen.message(
      "done", title: isDone ? "This machine is ready" : "Not everything could be applied",
      actions: isDone
        ? [.primary(Do.finish, "Finish")]
        : [.primary(Do.apply, "Try again"), Action(Do.change, "Change answers"), Action(Do.finishWithout, "Finish without it")]
    ).with(
      Markup(
        blocks: (isDone ? [] : [.paragraph("Not applied:")] + failed)
          + (applied.isEmpty ? [] : [.paragraph("Applied:")] + applied)))
  }
}

extension Item {
  /// A time zone, in the group of its continent.
  init(timeZone name: String) {
    let parts = name.split(separator: "/", maxSplits: 1)
    self.init(name, verbatim: String(parts.last ?? ""), group: parts.count > 1 ? String(parts[0]) : nil)
  }
}

extension Markup.Block {
  fileprivate static func bullet(_ text: Text) -> Self { Self(.bullet, [.init(text.string)]) }
  fileprivate static func paragraph(_ text: Text) -> Self { Self(.paragraph, [.init(text.string)]) }
}

extension Summary {
  init(of answers: Answers, _ results: [SetupStep: StepResult]) {
    self.init(
      language: answers.language, keyboard: answers.keyboard, timeZone: answers.timeZone, hostName: answers.host.name,
      network: answers.network?.network.name, login: answers.user.login,
      applied: SetupStep.allCases.filter { results[$0]?.isApplied == true },
      notApplied: SetupStep.allCases.filter { results[$0]?.isApplied == false })
  }
}
