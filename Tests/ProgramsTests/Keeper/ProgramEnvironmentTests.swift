import Testing

@testable import CoordinatorKeeper

@Suite("The environment of a program")
struct ProgramEnvironmentTests {
  private let caller = ["LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "PATH": "/usr/bin", "LINES": "5", "HOME": "/home/ada"]

  @Test("Packages that are answered from a file ask in the language of the file")
  func unattended() {
    let asking = ProgramEnvironment.adapting(caller, commands: "/bin", shim: "/shim", debconf: "/debconf")
    #expect(asking["LC_ALL"] == "de_DE.UTF-8" && asking["LANGUAGE"] == "de")
    let answered = ProgramEnvironment.adapting(
      caller, commands: "/bin", shim: "/shim", debconf: "/debconf", isUnattended: true)
    #expect(answered["LC_ALL"] == "C.UTF-8" && answered["LANGUAGE"] == nil)
  }

  @Test("The shims come first, and nothing else of the caller is changed")
  func shims() {
    let environment = ProgramEnvironment.adapting(caller, commands: "/shims", shim: "/socket", debconf: nil)
    #expect(environment["PATH"] == "/shims:/usr/bin" && environment["SSH_ASKPASS"] == "/shims/askpass")
    #expect(environment["HOME"] == "/home/ada" && environment["LINES"] == nil && environment["DEBIAN_FRONTEND"] == nil)
  }
}
