import CoordinatorJournal
import Testing

@Suite("The state directory")
struct StateLocationTests {
  @Test(
    "is what systemd says, else below the user's directory for state, else below home",
    arguments: [
      (["STATE_DIRECTORY": "/var/lib/a", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/var/lib/a"),
      (["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "HOME": "/h"], "/var/lib/a"),
      (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/coordinatord"),
      (["XDG_STATE_HOME": "/x/", "HOME": "/h"], "/x/coordinatord"),
      (["HOME": "/h"], "/h/.local/state/coordinatord"),
      (["HOME": "/"], "/.local/state/coordinatord"),
    ])
  func order(_ environment: [String: String], _ directory: String) {
    #expect(StateLocation.directory(environment: environment) == directory)
  }

  @Test(
    "is not what is empty or relative",
    arguments: ["STATE_DIRECTORY", "XDG_STATE_HOME"], ["", "a", "a:/b", "~/a", ":"])
  func relative(_ variable: String, _ value: String) {
    #expect(StateLocation.directory(environment: [variable: value, "HOME": "/h"]) == "/h/.local/state/coordinatord")
  }

  @Test("is found without a home in the environment", arguments: [[:], ["HOME": ""], ["HOME": "h"]])
  func home(_ environment: [String: String]) {
    let directory = StateLocation.directory(environment: environment)
    #expect(directory.hasPrefix("/"))
    #expect(directory.hasSuffix("/.local/state/coordinatord"))
  }
}
