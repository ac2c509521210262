import Testing

@testable import CoordinatorScripts

/// The environment of a script's process, and its unreadable output.
@Suite("The surroundings of a run", .timeLimit(.minutes(1)))
struct RunEnvironmentTests {
  @Test(
    "A script reads text as UTF-8, whatever the locale says: in GB18030, a shell takes an apostrophe for a part of a letter",
    arguments: [
      (["LC_ALL": "zh_CN.GB18030"], ["LANG": "zh_CN.GB18030", "LC_CTYPE": "C.UTF-8"]),
      (
        ["LC_ALL": "zh_TW.EUC-TW", "LC_TIME": "de_DE", "LANG": "C"], ["LANG": "zh_TW.EUC-TW", "LC_CTYPE": "C.UTF-8"]
      ),
      (["LANG": "de_AT@euro"], ["LANG": "de_AT@euro", "LC_CTYPE": "C.UTF-8"]), ([:], ["LC_CTYPE": "C.UTF-8"]),
      (["LANG": "de_AT.UTF-8", "LC_CTYPE": "ja_JP.SJIS"], ["LANG": "de_AT.UTF-8", "LC_CTYPE": "C.UTF-8"]),
      (["LANG": "de_AT.utf8@euro"], ["LANG": "de_AT.utf8@euro"]),
      (["LC_ALL": "C.UTF-8", "LANG": "C"], ["LC_ALL": "C.UTF-8", "LANG": "C"]),
      (["LC_ALL": "", "LANG": "de_DE.UTF-8"], ["LC_ALL": "", "LANG": "de_DE.UTF-8"]),
    ])
  func textIsUTF8(given: [String: String], wanted: [String: String]) {
    var variables = given
    RunOrder.speakUTF8(in: &variables)
    #expect(variables == wanted)
  }

  @Test("The run of a message that cannot be read is found, and not that of what is in it")
  func runIsFound() {
    func run(_ text: String) -> UInt64? { UnreadableMessage(Array(text.utf8), ReadFailure()).run }
    #expect(run(#"{"run": 7, "done": {"é": 1, "e\#u{301}": 2}}"#) == 7)
    #expect(run(#"{"done":{"run":9,"x":"\"run\":8"},"entry":1,"run":7}"#) == 7)
    #expect(run(#"{"done":["run",":",9],"x":"run","run" : 12}"#) == 12)
    for text in [
      "", "{", #"{"run""#, #"{"run":"#, #"{"run":"7"}"#, #"{"a":{"run":7}}"#, #"{"run":99999999999999999999}"#, #"""#, #"{"a\"#,
    ] {
      #expect(run(text) == nil, "\(text)")
    }
  }

  private struct ReadFailure: Error {}
}
