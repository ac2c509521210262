import DBus
import Glibc
import Logging
import Testing

@testable import CoordinatorDaemon

@Suite("Caller rules", .timeLimit(.minutes(5)))
struct CallerRuleTests {
  private let group = UserGroup(name: "staff", number: 50)

  @Test(
    "On a session bus or at an address, only the daemon's own user may call, not even root",
    arguments: [
      BusAddress.session, .address("unix:path=/x"),
    ])
  func sessionBusAdmitsOnlyOwnUser(bus: BusAddress) {
    let rule = CallerRule.usual(on: bus, group: group, own: 1_000)
    #expect(rule.decide(on: PeerCredentials(user: 1_000)) == .admit)
    #expect(rule.decide(on: PeerCredentials(user: 0, groups: [0])) == .refuse)
    #expect(rule.decide(on: PeerCredentials(user: 1_001, groups: [50])) == .refuse)
    #expect(rule.decide(on: PeerCredentials(groups: [50])) == .refuse)
    #expect(rule.description == "user 1000 only")
    #expect(CallerRule.usual(on: bus, own: 0).decide(on: PeerCredentials(user: 0)) == .admit)
  }

  @Test("On the system bus, root, the daemon's own user, and the members of its group may call")
  func systemBusAdmitsRootOwnUserAndGroup() {
    let rule = CallerRule.usual(on: .system, group: group, own: 998)
    for user in [0, 998] as [UInt32] { #expect(rule.decide(on: PeerCredentials(user: user)) == .admit) }
    #expect(rule.decide(on: PeerCredentials(user: 1_000, groups: [1_000, 50])) == .admit)
    #expect(rule.decide(on: PeerCredentials(user: 1_000, groups: [1_000])) == .refuse)
    #expect(rule.decide(on: PeerCredentials(user: 1_000, groups: [])) == .refuse)
    #expect(rule.decide(on: PeerCredentials(user: 1_000)) == .lookUp(user: 1_000))
    #expect(rule.decide(on: PeerCredentials()) == .refuse)
    #expect(rule.description == "root, user 998, members of the group staff")
  }

  @Test("On the system bus without a group, only root and the own user may call, and groups are not looked up")
  func systemBusWithoutGroupNeverLooksUpGroups() {
    let rule = CallerRule.usual(on: .system, own: 998)
    #expect(rule.decide(on: PeerCredentials(user: 1_000)) == .refuse)
    #expect(rule.decide(on: PeerCredentials(user: 998)) == .admit)
  }

  @Test("Groups that the bus does not report are looked up, and an unknown user has none")
  func missingGroupsAreLookedUp() async throws {
    let rule = CallerRule(users: [0], group: group)
    let admission = rule.admission(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })) { user in
      user == 1_000 ? [50] : nil
    }
    #expect(await admission.admits(PeerCredentials(user: 1_000)))
    #expect(await !admission.admits(PeerCredentials(user: 1_001)))
    #expect(await !admission.admits(PeerCredentials(user: 1_000, groups: [])), "the bus knows better")
  }

  @Test("The system database knows the groups of root and none for a user that does not exist")
  func systemDatabaseKnowsRootsGroups() throws {
    #expect(SystemDatabase.groups(ofUser: 0)?.contains(0) == true)
    #expect(SystemDatabase.groups(ofUser: 4_000_000_123) == nil)
    #expect(try UserGroup(named: "root") == UserGroup(name: "root", number: 0))
  }

  @Test("The error for a missing group names the group and the command that creates it")
  func unknownGroupErrorSuggestsCommand() {
    #expect {
      try UserGroup(named: "no-such-group")
    } throws: {
      "\($0)" == "there is no group 'no-such-group' on this system; create it with `groupadd --system no-such-group`"
    }
  }
}
