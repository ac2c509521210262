import CoordinatorKit
import Testing

@testable import Accounts

@Suite("Password hashes", .timeLimit(.minutes(5)))
struct PasswordHashTests {
  @Test(
    "The known hashes of libxcrypt match their passwords and no others",
    arguments: [
      (Hashes.sha512crypt, Hashes.password), (Hashes.bcrypt, Hashes.password), (Hashes.gostYescrypt, Hashes.password),
      (Hashes.yescrypt, "U*U"), (Hashes.accented, "étude"), (Hashes.emptyPassword, ""),
    ])
  func knownHashesMatchOnlyTheirPasswords(hash: String, password: String) throws {
    let hash = try #require(PasswordHash(hash))
    #expect(hash.matches(Secret(password)))
    for other in [password + " ", password.uppercased() + "x", "\0", String(password.dropLast()) + "?"] {
      #expect(!hash.matches(Secret(other)))
    }
  }

  @Test(
    "A hash that is locked, invalid, or of an unknown or outdated method is unusable",
    arguments: [
      "", "!", "*", "!!", "*0", "x", "!" + Hashes.bcrypt, "$9$x$y", "$1$abcd$SwRG.yy0q6pJ8rg/8TwLf.", "abiQ6Ep3EYTHc",
      "$", "$$", Hashes.password,
    ])
  func unusableHashesAreRefused(hash: String) { #expect(PasswordHash(hash) == nil) }

  @Test("A truncated, extended or altered hash matches nothing", arguments: [Hashes.bcrypt, Hashes.sha512crypt, Hashes.yescrypt])
  func truncatedOrExtendedHashMatchesNothing(hash: String) {
    let password = hash == Hashes.yescrypt ? "U*U" : Hashes.password
    for damaged in [String(hash.dropLast()), String(hash.dropLast(20)), hash + "x", hash + "\0", String(hash.dropLast()) + "?"] {
      #expect(PasswordHash(damaged)?.matches(Secret(password)) != true)
    }
  }

  @Test("A password that continues after a NUL, which libcrypt does not see, does not match")
  func passwordBeyondANullDoesNotMatch() throws {
    let hash = try #require(PasswordHash(Hashes.bcrypt))
    #expect(!hash.matches(Secret(Hashes.password + "\0")))
    #expect(!hash.matches(Secret(Hashes.password + "\0more")))
  }

  @Test("A wiped password does not match, not even if the password is empty")
  func wipedPasswordDoesNotMatch() throws {
    let hash = try #require(PasswordHash(Hashes.emptyPassword))
    let secret = Secret("")
    #expect(hash.matches(secret))
    secret.wipe()
    #expect(!hash.matches(secret))
  }

  @Test("A password that is too long for libcrypt does not match")
  func overlongPasswordDoesNotMatch() throws {
    #expect(try !#require(PasswordHash(Hashes.sha512crypt)).matches(Secret(String(repeating: "x", count: 100_000))))
  }

  @Test("Rule 8: A password hash prints as dots")
  func passwordHashPrintsAsDots() throws {
    let hash = try #require(PasswordHash(Hashes.bcrypt))
    var dumped = ""
    dump(["key": hash], to: &dumped)
    #expect("\(hash) \(String(reflecting: hash))" == "•••••• ••••••")
    #expect(!dumped.contains("$"))
  }
}
