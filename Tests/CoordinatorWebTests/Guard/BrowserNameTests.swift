import Testing

@testable import CoordinatorWeb

@Suite("Names of browsers", .timeLimit(.minutes(5)))
struct BrowserNameTests {
  @Test(
    "A browser is named by its own name and its machine's",
    arguments: [
      ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
      (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 "
          + "Mobile/15E148 Safari/604.1", "Safari on iPhone"
      ),
      (
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36",
        "Chrome on Android"
      ),
      (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36 "
          + "Edg/137.0.0.0", "Edge on Windows"
      ), ("w3m/0.5.3+git20230121", "w3m"),
    ])
  func browserIsNamed(userAgent: String, name: String) { #expect(BrowserName.name(userAgent: userAgent) == name) }

  @Test("Nothing that a client invents becomes part of a name")
  func inventedNamesAreIgnored() {
    #expect(BrowserName.name(userAgent: nil) == nil)
    #expect(BrowserName.name(userAgent: "<b>Anna</b>") == nil)
    #expect(BrowserName.name(userAgent: "Anna's Firefox/1 Linux") == "Firefox on Linux")
  }
}
