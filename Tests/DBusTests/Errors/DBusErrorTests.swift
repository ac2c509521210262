import DBus
import Testing

@Suite("D-Bus errors", .timeLimit(.minutes(5)))
struct DBusErrorTests {
  @Test(
    "The standard errors have the names from the specification",
    arguments: [
      (DBusError.failed("m"), "Failed"), (.unknownObject("m"), "UnknownObject"), (.unknownInterface("m"), "UnknownInterface"),
      (.unknownMethod("m"), "UnknownMethod"), (.unknownProperty("m"), "UnknownProperty"),
      (.propertyReadOnly("m"), "PropertyReadOnly"),
      (.invalidArgs("m"), "InvalidArgs"), (.limitsExceeded("m"), "LimitsExceeded"), (.accessDenied("m"), "AccessDenied"),
      (.notSupported("m"), "NotSupported"), (.noReply("m"), "NoReply"), (.serviceUnknown("m"), "ServiceUnknown"),
      (.nameHasNoOwner("m"), "NameHasNoOwner"), (.disconnected("m"), "Disconnected"),
    ])
  func standardErrorsHaveSpecifiedNames(error: DBusError, name: String) {
    #expect(error.name == "org.freedesktop.DBus.Error." + name)
    #expect(error.isStandard(name))
    #expect(error.body == [.string("m")])
    #expect(error.description == error.name + ": m")
  }

  @Test("A received error is read with and without a message")
  func receivedErrorIsReadWithOrWithoutMessage() {
    let full = DBusError(name: "a.b", body: [.string("m"), .byte(1)])
    #expect(full == DBusError(name: "a.b", message: "m", extra: [.byte(1)]))
    #expect(full.body == [.string("m"), .byte(1)])
    #expect(DBusError(name: "a.b", body: [.byte(1)]) == DBusError(name: "a.b", message: "", extra: [.byte(1)]))
    #expect(DBusError(name: "a.b", body: []).description == "a.b")
  }

  @Test("An error can always be sent, whatever its name and message are")
  func everyErrorCanBeSent() throws {
    let error = DBusError(name: "no name", message: "a\0b\r\n\0")
    #expect(error.wireName == "org.freedesktop.DBus.Error.Failed")
    #expect(error.body == [.string("a\u{FFFD}b\r\n\u{FFFD}")])
    #expect(DBusError(name: "a.b", message: "").wireName == "a.b")
  }
}
