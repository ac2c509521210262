import CoordinatorKit
import Testing

@testable import first_boot_daemon

@Suite("The users of this system")
struct SystemUsersTests {
  /// A user whom no system has, so that nobody gets a password if this fails.
  private let login = "nobody-whom-a-system-has"

  @Test("A password with a line break is never given to chpasswd, which would take it for two users")
  func passwordWithLineBreak() throws {
    let error = try #require(throws: Problem.self) {
      try SystemUsers().setPassword(Secret("12345678\n\(login):hacked"), of: login)
    }
    #expect(error.text.resolved(in: nil) == "A password has no line breaks.")
  }
}
