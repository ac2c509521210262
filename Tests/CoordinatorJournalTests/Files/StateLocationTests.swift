import CoordinatorJournal
import Testing

@Suite("Location of the state directory", .timeLimit(.minutes(5)))
struct StateLocationTests {
  @Test(
    "The state directory comes from systemd, else from the user's state home, else from below home",
    arguments: [
      (["STATE_DIRECTORY": "/var/lib/a", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/var/lib/a"),
      (["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "HOME": "/h"], "/var/lib/a"),
      (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/coordinatord"),
      (["XDG_STATE_HOME": "/x/", "HOME": "/h"], "/x/coordinatord"),
      (["HOME": "/h"], "/h/.local/state/coordinatord"),
      (["HOME": "/"], "/.local/state/coordinatord"),
    ])
  func stateDirectoryFollowsPrecedence(_ environment: [String: String], _ directory: String) {
    #expect(StateLocation.directory(environment: environment) == directory)
  }

  @Test(
    "An empty or relative path in a variable is ignored",
    arguments: ["STATE_DIRECTORY", "XDG_STATE_HOME"], ["", "a", "a:/b", "~/a", ":"])
  func emptyOrRelativePathIsIgnored(_ variable: String, _ value: String) {
    #expect(StateLocation.directory(environment: [variable: value, "HOME": "/h"]) == "/h/.local/state/coordinatord")
  }

  @Test("The state directory is found without a home in the environment", arguments: [[:], ["HOME": ""], ["HOME": "h"]])
  func homeIsFoundWithoutEnvironment(_ environment: [String: String]) {
    let directory = StateLocation.directory(environment: environment)
    #expect(directory.hasPrefix("/"))
    #expect(directory.hasSuffix("/.local/state/coordinatord"))
  }
}
