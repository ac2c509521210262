import CoordinatorKit
import Synchronization

@testable import first_boot_daemon

/// A machine that remembers what was done to it. Its only secured network has the passphrase `open-sesame`.
final class SimulatedMachine: Sendable {
  struct Contents {
    var values: [SetupStep: String] = [:]
    var users: [String: String] = ["root": "root"]
    var passwords: [String: String] = [:]
    var joined: String?
    var inReach = [
      Network(name: "Home", isSecured: true, strength: 80), Network(name: "Guests", strength: 40),
      Network(name: "eth0", isWired: true),
    ]
    /// The changes, in order.
    var done: [String] = []
    var refused: Set<SetupStep> = []
  }
  let contents = Mutex(Contents())
  /// Whether each change is undone at once, so that every walk finds the same machine.
  let forgetsEverything: Bool

  init(forgetsEverything: Bool = false) { self.forgetsEverything = forgetsEverything }

  var done: [String] { contents.withLock(\.done) }

  /// The settings that a user and the network can see.
  var state: [String] {
    contents.withLock { contents in
      contents.values.map { "\($0.key.rawValue) \($0.value)" }.sorted()
        + ["joined \(contents.joined ?? "nothing")"]
        + contents.users.filter { $0.key != "root" }.map { "\($0.key) \($0.value) \(contents.passwords[$0.key] ?? "-")" }
    }
  }

  func refuse(_ steps: SetupStep...) { contents.withLock { $0.refused = Set(steps) } }

  /// Performs a change, unless it is refused.
  func change(_ step: SetupStep, _ text: String, _ body: (inout Contents) -> Void) throws {
    try contents.withLock { contents in
      guard !contents.refused.contains(step) else { throw Problem("The service is broken.") }
      guard !forgetsEverything else { return }
      contents.done.append(text)
      body(&contents)
    }
  }

  var machine: Machine {
    Machine(
      choices: Choices(
        languages: [
          Language(locale: "C.UTF-8", name: "English"),
          Language(locale: "de_DE.UTF-8", name: "Deutsch", keyboard: "de", timeZone: "Europe/Berlin"),
        ],
        keyboards: [Keyboard(layout: "de", name: "German"), Keyboard(layout: "us", name: "English")],
        timeZones: ["Europe/Berlin", "UTC"], systemLogins: ["root"]),
      language: SimulatedSetting(machine: self, step: .language), keyboard: SimulatedSetting(machine: self, step: .keyboard),
      timeZone: SimulatedSetting(machine: self, step: .timeZone), hostName: SimulatedSetting(machine: self, step: .hostName),
      networks: SimulatedNetworks(machine: self), users: SimulatedUsers(machine: self))
  }
}

struct SimulatedSetting: Setting {
  let machine: SimulatedMachine
  let step: SetupStep

  func value() -> String { machine.contents.withLock { $0.values[step] ?? "" } }

  func set(_ value: String) throws { try machine.change(step, "\(step.rawValue) \(value)") { $0.values[step] = value } }
}

struct SimulatedNetworks: Networks {
  let machine: SimulatedMachine

  func reachable() -> [Network] { machine.contents.withLock(\.inReach) }

  func isJoined(_ plan: NetworkPlan) -> Bool { machine.contents.withLock { $0.joined == plan.id } }

  func join(_ plan: NetworkPlan, passphrase: Secret?) throws {
    guard !plan.network.isSecured || passphrase?.matches(Secret("open-sesame")) == true else {
      throw Problem(Text("{network} does not let this machine in.", ["network": plan.network.name]))
    }
    guard plan.network.isSecured || passphrase == nil else { throw Problem("A passphrase is given away.") }
    let address = plan.addressing.address.map { " as \($0)" } ?? ""
    try machine.change(.network, "join \(plan.network.name)\(address)") { $0.joined = plan.id }
  }
}

struct SimulatedUsers: Users {
  let machine: SimulatedMachine

  func fullName(of login: String) -> String? { machine.contents.withLock { $0.users[login] } }

  func add(_ person: Person) throws {
    try machine.change(.user, "user \(person.login)") { $0.users[person.login] = person.name }
  }

  func hasPassword(_ login: String) -> Bool { machine.contents.withLock { $0.passwords[login] != nil } }

  func isPassword(_ password: Secret, of login: String) -> Bool {
    machine.contents.withLock { $0.passwords[login].map { password.matches(Secret($0)) } == true }
  }

  func setPassword(_ password: Secret, of login: String) throws {
    try machine.change(.password, "password \(login)") { $0.passwords[login] = password.withString(\.self) }
  }
}
