/// A check of a trial, with the rule behind it and advice for a provider that breaks it.
public enum Check: String, Sendable, Hashable, Codable, CaseIterable {
  // Registration.
  case registers, ownsName, registersAgain, releases, refusesStrangers
  // Decisions.
  case sameTurn, anyOrder, droppedAnswer, freshProcess, sideBySide, noEffects
  case answerIsValid, answerIsPossible, screenIsDescribed, errorIsKnown, refusalIsAwaited, leavesUnknownEvents
  case answersInTime, survives, comesBack, survivesPause, timeIsReal, migrates
  // Work.
  case acceptsWorkAtOnce, acceptsWorkAgain, startsWorkOnce, endsWork, endsOnlyItsWork, repeatsResult, resultIsValid
  case workIdIsNew, stopsCancelledWork, worksAfterDaemonRestart, worksAfterOwnRestart
  // Secrets.
  case hidesSecrets, printsNoSecrets, namesHeldSecrets, takesLostSecrets
  // The flow itself.
  case flowIsWhole

  /// The name in words.
  var words: String {
    rawValue.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }

  /// The rule of the contract.
  public var rule: String {
    switch self {
    case .registers, .ownsName, .releases: "P2"
    case .registersAgain: "P3"
    case .sideBySide: "P5"
    case .sameTurn, .anyOrder, .droppedAnswer, .freshProcess, .noEffects: "P6"
    case .answerIsValid: "P7"
    case .answerIsPossible, .screenIsDescribed: "P8"
    case .errorIsKnown, .refusalIsAwaited, .leavesUnknownEvents: "P9"
    case .answersInTime, .survivesPause: "P10"
    case .survives, .comesBack: "P11"
    case .migrates: "P15"
    case .acceptsWorkAtOnce, .endsWork, .endsOnlyItsWork, .repeatsResult, .resultIsValid, .workIdIsNew: "P17"
    case .acceptsWorkAgain, .startsWorkOnce, .stopsCancelledWork, .worksAfterDaemonRestart, .worksAfterOwnRestart: "P18"
    case .hidesSecrets, .printsNoSecrets, .namesHeldSecrets, .takesLostSecrets: "P19"
    case .timeIsReal: "P20"
    case .refusesStrangers: "P21"
    case .flowIsWhole: "flow"
    }
  }

  /// The advice for a provider that breaks the rule.
  public var advice: String {
    switch self {
    case .registers: "Call RegisterFlows of org.coordinatord.Coordinator1 as its interface describes."
    case .ownsName: "Request the name before you register under it."
    case .registersAgain: "Call RegisterFlows each time that org.coordinatord.Coordinator1 gets a new owner."
    case .releases: "After Release, stop serving these flows, and do not register them again."
    case .refusesStrangers: "Answer only calls whose sender owns org.coordinatord.Coordinator1."
    case .sameTurn: "Decide from the arguments alone: no clock, no random numbers; `now` is in the context."
    case .anyOrder, .droppedAnswer:
      "Decide from the argument `state`, never from what an earlier Decide left in a variable: its answer may have been dropped."
    case .freshProcess: "Keep everything that the answer depends on in the state, nothing in the process."
    case .sideBySide: "Let questions about different coordinators share no variables, or answer them one at a time."
    case .noEffects: "Order work instead: it begins only after the answer has been stored."
    case .answerIsValid: "See Decide in org.coordinatord.FlowProvider1.xml; one fault drops the whole answer."
    case .answerIsPossible: "Operations act in order on what the context describes."
    case .screenIsDescribed: "Put each screen that you present into `screens`, under its key."
    case .errorIsKnown:
      "Answer only with errors that the interface lists, such as Denied or UnknownEvent; any other is taken for a bug."
    case .refusalIsAwaited: "Nobody waits for this event, and no parent takes it: answer it with a state."
    case .leavesUnknownEvents: "Answer UnknownEvent to an event that the flow does not know, so that its parent gets it."
    case .answersInTime: "Move what takes long to work, or register the flow with a longer deadline."
    case .survivesPause: "Answer each question by itself, however late; the daemon ignores answers that are too late."
    case .survives: "Answer an event that you do not expect with an error; never exit over it."
    case .comesBack: "A provider that was killed has to start again without help: remove lock files and stale sockets."
    case .timeIsReal: "Pass `at` in microseconds since 1970."
    case .migrates: "Convert the state in the event `migrate`, whose `from` is the version that wrote it."
    case .acceptsWorkAtOnce: "Answer Perform before you begin, and tell the end of the work by EndWork."
    case .acceptsWorkAgain: "Answer Perform of work that still runs without an error, and let it run on."
    case .startsWorkOnce: "Remember running work by instance and id, and do not start it a second time."
    case .endsWork: "Call EndWork when the work is done, or has failed."
    case .endsOnlyItsWork: "Call EndWork with the instance and the id that Perform was called with."
    case .repeatsResult: "Call EndWork again until it is answered without an error."
    case .resultIsValid: "Pass `value`, a string of at most 256 KiB, or `type` and `message` of an error."
    case .workIdIsNew: "Count the work in the state, and make its ids from the number."
    case .stopsCancelledWork: "Stop the work when CancelWork or Ended arrives."
    case .worksAfterDaemonRestart: "Keep results until a daemon has taken them, and send them again after registering."
    case .worksAfterOwnRestart: "Begin work again when Perform comes with a higher attempt."
    case .hidesSecrets: "Use a secret only where the work needs it: answers, results and progress are stored or shown."
    case .printsNoSecrets: "Do not log the arguments of work that takes secrets."
    case .namesHeldSecrets: "Give work only secrets that came with the event, or that the context lists."
    case .takesLostSecrets: "Show the form again: a restart of the daemon has taken the secrets."
    case .flowIsWhole: "Start the flow in a renderer, and follow the path."
    }
  }
}
