import Testing

@testable import DBus

@Suite("Peer credentials", .timeLimit(.minutes(5)))
struct PeerCredentialsTests {
  @Test("A bus without credentials, and one whose answer has a file descriptor, are asked for the user alone")
  func otherQuestionIsAsked() {
    #expect(PeerCredentials.isAbsent(DBusError(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "")))
    #expect(PeerCredentials.isAbsent(ConnectionError.unreadableReply("Unix file descriptors are not supported")))
    #expect(!PeerCredentials.isAbsent(DBusError(name: "org.freedesktop.DBus.Error.NameHasNoOwner", message: "")))
    #expect(!PeerCredentials.isAbsent(ConnectionError.timedOut))
  }

  @Test("Peer credentials are read from the bus's reply, and missing or malformed ones are unknown")
  func credentialsAreReadFromBusReply() {
    let reply: Value = .vardict([
      "ProcessID": .uint32(1), "UnixUserID": .uint32(1_000), "UnixGroupIDs": .array(of: .uint32, [.uint32(5), .uint32(6)]),
    ])
    #expect(PeerCredentials(reply: [reply]) == PeerCredentials(user: 1_000, groups: [5, 6]))
    #expect(PeerCredentials(reply: [.vardict(["UnixUserID": .uint32(0)])]) == PeerCredentials(user: 0))
    #expect(PeerCredentials(reply: [.vardict(["UnixUserID": .int64(0), "UnixGroupIDs": .string("x")])]) == PeerCredentials())
    #expect(PeerCredentials(reply: [.uint32(0)]) == nil)
    #expect(PeerCredentials(reply: []) == nil)
  }
}
