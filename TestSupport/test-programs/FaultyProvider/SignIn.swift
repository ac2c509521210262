import CoordinatorBus
import DBus
import Glibc

/// The flow `sign-in`: a menu, a form with a secret, work, a timer, and a child of another provider.
struct SignIn: Sendable {
  let mistake: Mistake?

  /// Returns the answer to an event.
  func decide(_ question: RawQuestion) throws(DBusError) -> RawAnswer {
    var answer = RawAnswer(state: question.state)
    if mistake == .randomState { answer.state = "\(UInt32.random(in: 0...9_999_999))" }
    if mistake == .processID { answer.state = "\(getpid())" }
    switch question.kind {
    case "start":
      if mistake == nil || mistake != .processID && mistake != .randomState { answer.state = "0" }
      let extra = mistake == .deadEnd ? ["stuck"] : []
      answer.show(.menu("menu", "What now?", actions: ["sign-in", "wait", "ask", "leave"] + extra), to: question)
      if mistake == .dismissesHidden { answer.add("dismiss", ["key": .string("nothing")]) }
    case "event": try act(question, &answer)
    case "back":
      if !question.work.isEmpty { answer.add("cancel-work") }
    case "script": try script(question)
    case "from-child": throw Self.unknown
    case "child-ended":
      if mistake == .refusesFailedChild, question.event["outcome"]?.string == "failed" {
        throw DBusError.failed("a child failed")
      }
    case "work-ended":
      if question.event["value"] == nil {
        answer.show(.form(isBusy: false, problem: "That was wrong."), to: question)
      } else {
        answer.show(.menu("in", "Signed in", "okay", kind: "message"), to: question)
      }
    case "work-interrupted", "secrets-gone":
      if mistake == .failsWithoutSecrets { throw DBusError.failed("no secrets") }
      if question.screens.contains("sure") { answer.add("dismiss", ["key": .string("sure")]) }
      answer.show(.form(isBusy: false, problem: "Please type it again."), to: question)
    case "timer":
      if mistake == .refusesTimer { throw ContractError.denied(message: "not now").dbusError }
      answer.show(.menu("rung", "It rings", "okay", kind: "message"), to: question)
    case "output", "message", "looking", "language": break
    case "migrate":
      if mistake == .failsToMigrate { throw DBusError.failed("what is this state?") }
    default:
      if mistake == .exitsOnSurprise { exit(3) }
      throw Self.unknown
    }
    return answer
  }

  private static var unknown: DBusError { ContractError.unknownEvent(message: "not taken").dbusError }

  private func script(_ question: RawQuestion) throws(DBusError) {
    if mistake != .takesEverything { throw Self.unknown }
  }

  private func act(_ question: RawQuestion, _ answer: inout RawAnswer) throws(DBusError) {
    switch (question.key, question.name) {
    case ("menu", "sign-in"):
      if mistake == .otherError { throw DBusError.failed("list index out of range") }
      answer.show(.form(isBusy: false), to: question, isDescribed: mistake != .undescribedScreen)
      if mistake == .unknownOperation { answer.add("explode") }
    case ("menu", "wait"):
      answer.show(.menu("waiting", "Waiting", kind: "message"), to: question)
      let at = mistake == .secondsTimer ? question.now / 1_000_000 + 60 : question.now + 60_000_000
      answer.add("timer", ["key": .string("bell"), "at": .uint64(at)])
    case ("menu", "ask"):
      answer.add("start-child", ["flow": .string("survey"), "input": .vardict(["about": .string("us")])])
    case ("menu", "stuck"):
      answer.show(.menu("stuck", "Stuck", kind: "message"), to: question)
      answer.screens["stuck"]?["back"] = .boolean(false)
    case ("menu", _), ("in", _), ("rung", _): answer.add("finish", ["result": .vardict([:])])
    case ("form", "submit"):
      answer.show(.form(isBusy: true), to: question)
      work(question.secrets, &answer)
    case ("form", "keep"):
      answer.add("keep-secret", ["names": .strings(question.secrets)])
      answer.show(.menu("sure", "Are you sure?", "go", kind: "message"), to: question)
    case ("form", "stop") where !question.work.isEmpty:
      answer.add("cancel-work")
      answer.show(.form(isBusy: false), to: question)
    case ("form", "stop"): answer.add("cancel")
    case ("sure", "go"):
      answer.show(.menu("sure", "Signing in", kind: "message"), to: question)
      work(question.kept, &answer)
    default: throw Self.unknown
    }
  }

  private func work(_ secrets: [String], _ answer: inout RawAnswer) {
    let number = (Int(answer.state) ?? 0) + 1
    answer.state = "\(number)"
    let names = mistake == .unknownSecret ? secrets + ["pin"] : secrets
    answer.add(
      "work",
      [
        "id": .string("sign-\(mistake == .sameWorkID ? 1 : number)"), "argument": .string("ada"), "secrets": .strings(names),
      ])
  }
}
