import CoordinatorBus
import DBus
import Testing

@Suite("Names of daemons", .timeLimit(.minutes(5)))
struct DaemonNameTests {
  @Test(
    "A word stands for a bus name of coordinatord's, and a bus name for itself",
    arguments: [
      ("kiosk", "org.coordinatord.kiosk", "/org/coordinatord/kiosk"),
      ("first-boot", "org.coordinatord.first-boot", "/org/coordinatord/first_boot"),
      ("org.example.Kiosk1", "org.example.Kiosk1", "/org/example/Kiosk1"),
      ("coordinatord", "org.coordinatord.Coordinator1", "/org/coordinatord/Coordinator1"),
      ("org.coordinatord.Coordinator1", "org.coordinatord.Coordinator1", "/org/coordinatord/Coordinator1"),
    ])
  func nameIsRead(text: String, busName: String, path: String) throws {
    let name = try DaemonName(text)
    #expect((name.busName, name.rootPath.string) == (busName, path))
  }

  @Test(
    "A bus name is one daemon with one directory, however it is written",
    arguments: [
      ("org.coordinatord.kiosk", "kiosk"), ("kiosk", "kiosk"), ("org.coordinatord.a.b", "org.coordinatord.a.b"),
      ("Coordinator1", "coordinatord"), ("org.example.Kiosk1", "org.example.Kiosk1"),
    ])
  func nameHasOneForm(text: String, form: String) throws {
    let name = try DaemonName(text)
    #expect(name.description == form)
    #expect(try DaemonName(name.busName) == name)
    #expect(try DaemonName(name.description) == name)
  }

  @Test("Each daemon has separate scripts")
  func scriptsAreApart() {
    #expect(DaemonName.standard.scriptsName == "org.coordinatord.Scripts")
    #expect(("kiosk" as DaemonName).scriptsName == "org.coordinatord.kiosk.Scripts")
    #expect(("org.example.Kiosk1" as DaemonName).scriptsName == "org.example.Kiosk1.Scripts")
  }

  @Test("The daemon that ships has one name, however it is written")
  func standardIsOne() {
    #expect("org.coordinatord.Coordinator1" == DaemonName.standard)
    #expect(DaemonName.standard.description == "coordinatord")
    #expect((Contract.busName, Contract.rootPath) == (DaemonName.standard.busName, DaemonName.standard.rootPath))
    #expect(Contract.flowsPath == "/org/coordinatord/Coordinator1/flows")
  }

  @Test(
    "What is no bus name is no name of a daemon",
    arguments: [
      "", ".", "..", "a/b", "1st", "a..b", "a.1b", ":1.5", "k\u{ef}osk", "a b", "org.example.",
      "Scripts", "org.coordinatord.Scripts", "org.coordinatord.coordinatord", "org.freedesktop.DBus",
      String(repeating: "a", count: 250),
    ])
  func wrongNamesAreRefused(text: String) {
    #expect(throws: InvalidDaemonName.name(text)) { try DaemonName(text) }
  }
}
