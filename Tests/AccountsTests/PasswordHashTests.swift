import CoordinatorKit
import Testing

@testable import Accounts

@Suite("A password hash")
struct PasswordHashTests {
  @Test(
    "matches the passwords that libxcrypt's own tests name, and no others",
    arguments: [
      (Hashes.sha512crypt, Hashes.password), (Hashes.bcrypt, Hashes.password), (Hashes.gostYescrypt, Hashes.password),
      (Hashes.yescrypt, "U*U"), (Hashes.accented, "étude"), (Hashes.emptyPassword, ""),
    ])
  func knownAnswers(hash: String, password: String) throws {
    let hash = try #require(PasswordHash(hash))
    #expect(hash.matches(Secret(password)))
    for other in [password + " ", password.uppercased() + "x", "\0", String(password.dropLast()) + "?"] {
      #expect(!hash.matches(Secret(other)))
    }
  }

  @Test(
    "of a locked account, of an unknown or outdated method, or that is none, is of no use",
    arguments: [
      "", "!", "*", "!!", "*0", "x", "!" + Hashes.bcrypt, "$9$x$y", "$1$abcd$SwRG.yy0q6pJ8rg/8TwLf.", "abiQ6Ep3EYTHc",
      "$", "$$", Hashes.password,
    ])
  func unusable(hash: String) { #expect(PasswordHash(hash) == nil) }

  @Test("that was cut short or added to matches nothing", arguments: [Hashes.bcrypt, Hashes.sha512crypt, Hashes.yescrypt])
  func damaged(hash: String) {
    let password = hash == Hashes.yescrypt ? "U*U" : Hashes.password
    for damaged in [String(hash.dropLast()), String(hash.dropLast(20)), hash + "x", hash + "\0", String(hash.dropLast()) + "?"] {
      #expect(PasswordHash(damaged)?.matches(Secret(password)) != true)
    }
  }

  @Test("does not match a password that goes on after a NUL, which libcrypt does not see")
  func terminator() throws {
    let hash = try #require(PasswordHash(Hashes.bcrypt))
    #expect(!hash.matches(Secret(Hashes.password + "\0")))
    #expect(!hash.matches(Secret(Hashes.password + "\0more")))
  }

  @Test("does not match a password that has been wiped, not even if the password is empty")
  func wiped() throws {
    let hash = try #require(PasswordHash(Hashes.emptyPassword))
    let secret = Secret("")
    #expect(hash.matches(secret))
    secret.wipe()
    #expect(!hash.matches(secret))
  }

  @Test("does not match a password that is longer than libcrypt takes")
  func long() throws {
    #expect(try !#require(PasswordHash(Hashes.sha512crypt)).matches(Secret(String(repeating: "x", count: 100_000))))
  }

  @Test("Rule 8: A password hash prints as dots")
  func printing() throws {
    let hash = try #require(PasswordHash(Hashes.bcrypt))
    var dumped = ""
    dump(["key": hash], to: &dumped)
    #expect("\(hash) \(String(reflecting: hash))" == "•••••• ••••••")
    #expect(!dumped.contains("$"))
  }
}
