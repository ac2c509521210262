import Foundation
import TestBus
import Testing

@Suite("Checks of scripts", .timeLimit(.minutes(5)))
struct ScriptCheckTests {
  /// What `check --json` prints about a flow.
  private struct Found: Decodable {
    struct Problem: Decodable {
      let check: String
      let severity: String
      let message: String
      let file: String
      let line: Int?
      let path: [String]
    }

    let flow: String
    let ok: Bool
    let paths: Int
    let seconds: Double
    let complete: Bool
    let bound: String?
    let untried: [String]
    let ends: [String]
    let problems: [Problem]
  }

  private static func check(_ lines: String, _ options: String...) async throws -> (found: Found, status: ProgramReport.Status?) {
    let bench = try ScriptBench()
    try bench.write("tried", lines)
    let command = [try Built.executable("coordinator-scripts"), "check", "tried", "--json"] + options
    let report = try await bench.runCommand(command)
    return (try JSONDecoder().decode(Found.self, from: Data(report.output.utf8)), report.status)
  }

  private static let wizard =
    "for n in 1 2 3 4 5 6 7 8 9; do ask menu question$n \"Question $n\" a=A b=B c=C >/dev/null; done; ask finish"

  @Test("A check of many paths stops at a limit, and says which one it was")
  func bounded() async throws {
    let (paths, status) = try await Self.check(Self.wizard, "--max-paths", "5")
    #expect(status == .exited(0) && !paths.complete && paths.bound == "paths" && paths.paths == 5)
    let (seconds, _) = try await Self.check(Self.wizard, "--max-seconds", "1")
    #expect(!seconds.complete && seconds.bound == "seconds" && seconds.ok == (seconds.paths > 0))
  }

  @Test("A check that has to walk all paths fails if it does not")
  func complete() async throws {
    let (found, status) = try await Self.check(Self.wizard, "--max-paths", "5", "--complete")
    #expect(status == .exited(1) && found.problems.map(\.check) == ["incomplete"], "\(found.problems)")
  }

  @Test("A script that no path leads to the end of fails, with the reason")
  func noPaths() async throws {
    let (found, status) = try await Self.check("while :; do ask confirm on 'Once more?' || :; done")
    #expect(status == .exited(1) && found.paths == 0)
    #expect(found.problems.first?.check == "no-paths", "\(found.problems)")
    #expect(found.problems.first?.message.contains("the question on comes again and again") == true, "\(found.problems)")
  }

  @Test("Loops by ask again, child flows, timeouts and timers are no mistakes, and take no time")
  func noFalseAlarms() async throws {
    let (found, status) = try await Self.check(
      """
      ask sleep nap 86400
      ask menu size "How large?" small=Small --timeout 3600 >/dev/null
      ask run other >/dev/null || :
      ask confirm on "Again?" || ask finish
      ask again
      """, "--strict")
    #expect(status == .exited(0) && found.complete && found.problems.isEmpty, "\(found.problems)")
    #expect(found.seconds < 3_600)
  }

  @Test("A script that only starts over has an end, and a loop of its own has none")
  func startsOver() async throws {
    let (kiosk, status) = try await Self.check("ask menu cup 'Which cup?' small=Small large=Large >/dev/null; ask again")
    #expect(status == .exited(0) && kiosk.complete && kiosk.ends == ["again"], "\(kiosk.problems)")
  }

  @Test("A script that starts over after a timeout is walked completely")
  func timeoutStartsOver() async throws {
    let (found, status) = try await Self.check(
      "ask menu cup 'Which cup?' s=Small --timeout 60 >/dev/null; [ $? = 124 ] && ask again; ask finish", "--complete")
    #expect(status == .exited(0) && found.complete && found.paths <= 2, "\(found.problems)")
  }

  @Test(
    "An effect outside of a step that changes how the next run ends is found",
    arguments: [
      "mkdir taken 2>/dev/null || ask fail exists 'It is there'; ask finish",
      "n=$(ls taken* 2>/dev/null | wc -l); touch taken; ask finish n=$n",
    ])
  func effectOutside(rest: String) async throws {
    let bench = try ScriptBench()
    try bench.write("tried", "cd '\(bench.directory)'; ask menu size 'How large?' a=A >/dev/null\n\(rest)")
    let report = try await bench.run("check", "tried")
    #expect(report.status == .exited(1) && report.output.contains("two runs with the same log differ"), "\(report.output)")
  }

  @Test("A result with random values, the time or the chosen language is no difference")
  func noDifference() async throws {
    let (found, status) = try await Self.check(
      "ask menu size 'How large?' a=A >/dev/null; ask language de; ask finish id=$(ask uuid) language=$(ask language)")
    #expect(status == .exited(0), "\(found.problems)")
  }

  @Test(
    "An option that cannot be used is refused",
    arguments: [
      ["--max-seconds", "1e300"], ["--language", "../../x"], ["--language", ""], ["--values", "login=[]"],
    ])
  func refusedOption(option: [String]) async throws {
    let bench = try ScriptBench()
    try bench.write("tried", "ask menu login 'Log in?' a=A >/dev/null; ask finish")
    let report = try await bench.runCommand([try Built.executable("coordinator-scripts"), "check", "tried"] + option)
    #expect(report.status == .exited(64) && report.errors.contains(option[0]), "\(report.status) \(report.errors)")
  }

  @Test("A script that cannot be read is a failure in the reports for programs")
  func unreadable() async throws {
    let bench = try ScriptBench()
    let report = try await bench.run("check", "missing", "--json", "--junit", "report.xml")
    #expect(report.status == .exited(1))
    let found = try JSONDecoder().decode(Found.self, from: Data(report.output.utf8))
    #expect(found.flow == "missing" && !found.ok && !found.complete && found.problems.map(\.check) == ["mistake"])
    let text = try String(contentsOfFile: "\(bench.directory)/report.xml", encoding: .utf8)
    #expect(text.contains("failures=\"1\" errors=\"0\" skipped=\"12\"") && text.contains("type=\"mistake\""), "\(text)")
  }

  @Test("An initial value that the field does not accept is found, with the line")
  func wrongDefault() async throws {
    let (found, status) = try await Self.check(
      "ask message hello Hello\nask form order 'Your order' --number cups --range 5.. --value 2 >/dev/null; ask finish")
    #expect(status == .exited(1) && found.problems.count == 1, "\(found.problems)")
    let problem = try #require(found.problems.first)
    #expect(problem.check == "wrong-default" && problem.line == 5 && problem.file == "tried")
    #expect(problem.message.contains("the field cups begins with 2"), "\(problem.message)")
    #expect(problem.path == ["hello: okay"])
  }

  @Test("A secret that an earlier step has taken is found, although no step is done")
  func spentSecret() async throws {
    let (found, status) = try await Self.check(
      """
      ask form account Account --secret password
      ask step one --stdin password -- true || ask fail one One
      ask step two --stdin password -- true || ask fail two Two
      ask finish
      """)
    #expect(status == .exited(1) && found.problems.map(\.check) == ["spent-secret"], "\(found.problems)")
  }

  @Test("Two questions with one name are a warning, and a question in a loop is not")
  func sharedName() async throws {
    let (twice, status) = try await Self.check(
      "ask menu one 'How large?' a=A >/dev/null\nask menu one 'What colour?' b=B >/dev/null\nask finish")
    #expect(status == .exited(0) && twice.problems.map(\.check) == ["shared-name"], "\(twice.problems)")
    #expect(twice.problems.first?.severity == "warning")
    let (loop, _) = try await Self.check("for n in 1 2; do ask menu one \"Question $n\" a=A >/dev/null; done; ask finish")
    #expect(loop.problems.isEmpty, "\(loop.problems)")
  }

  @Test("Values of a form that cannot be guessed are given")
  func values() async throws {
    let form = "code=$(ask form ticket Ticket --text code --pattern '^[A-Z]{2}-[0-9]{4}$' --length 7); ask finish code=\"$code\""
    let (unknown, status) = try await Self.check(form)
    #expect(status == .exited(1) && unknown.problems.map(\.check) == ["untried-form", "no-paths"], "\(unknown.problems)")
    let (known, fine) = try await Self.check(form, "--values", #"ticket={"code":"AB-1234"}"#)
    #expect(fine == .exited(0) && known.paths == 1 && known.problems.isEmpty, "\(known.problems)")
  }

  @Test("A stub gets the secret of each path, although the logs of the paths are the same")
  func secretsDiffer() async throws {
    let (found, status) = try await Self.check(
      """
      until ask form account Account --secret password && ask step log-in --stdin password -- true; do :; done
      ask finish
      """, "--values", #"account=[{"password":"wrong"},{"password":"open-sesame"}]"#, "--stub",
      #"log-in=[ "$(cat)" = open-sesame ]"#)
    #expect(status == .exited(0) && found.ends == ["finished"], "\(found.problems)")
  }

  @Test("A look that does not end is found, with its name and what to do")
  func endlessLook() async throws {
    let (found, status) = try await Self.check("ask look disks -- sleep 1000; ask message ready Ready", "--patience", "1")
    #expect(status == .exited(1), "\(found.problems)")
    let problem = try #require(found.problems.first)
    #expect(problem.check == "endless-work" && problem.message.contains("--stub disks=COMMAND"), "\(problem.message)")
  }

  @Test("A date is found on the same day, because the runs that are compared have different time zones")
  func dateIsFound() async throws {
    let (found, _) = try await Self.check("ask message today \"It is $(date +%F)\"")
    #expect(found.problems.map(\.check) == ["difference"], "\(found.problems)")
  }

  @Test("With Back, a script that asks another question then is found")
  func backIsTried() async throws {
    let (right, _) = try await Self.check(Self.wizard, "--back", "--max-paths", "3")
    #expect(right.problems.isEmpty, "\(right.problems)")
    let (wrong, status) = try await Self.check(
      "echo x >>\"$notes\"; ask menu size \"Run $(wc -l <\"$notes\")\" a=A >/dev/null; ask message ready Ready", "--back")
    #expect(status == .exited(1) && !wrong.problems.isEmpty)
  }

  @Test("Texts that are the same in another language are a warning")
  func untranslated() async throws {
    let (found, _) = try await Self.check(
      """
      case $LANGUAGE in de*) large="Wie groß?" ;; *) large="How large?" ;; esac
      ask message size "$large"
      ask message ready "Your coffee is ready"
      """, "--language", "de")
    #expect(found.problems.map(\.check) == ["untranslated"], "\(found.problems)")
    #expect(found.problems.first?.message.contains("the question ready has the same texts in de") == true)
  }

  @Test("A report for CI has a test case for each check, and the failure with its place")
  func junit() async throws {
    let bench = try ScriptBench()
    try bench.write("typo", #"size=$(ask menu size "How <large>?" small=Small large=Large); [ "$size" = small ] || exit 3"#)
    let check = try await bench.run("check", "typo", "--junit", "report.xml")
    #expect(check.status == .exited(1))
    let text = try String(contentsOfFile: "\(bench.directory)/report.xml", encoding: .utf8)
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests="))
    #expect(text.contains("<failure message=\"typo: "), "\(text)")
    #expect(text.contains("type=\"mistake\""), "\(text)")
    for check in ["Back leads to the question before", "all texts are translated"] {
      #expect(text.contains("name=\"\(check)\" file=\"typo\" time=\"0\"><skipped"), "\(text)")
    }
  }

  @Test("A play whose step does not end fails, with the name of the step and what to do")
  func endlessStep() async throws {
    let bench = try ScriptBench()
    try bench.write("charge", "ask step charge -- sleep 1000; ask finish")
    try bench.keep("answers.yaml", "answers:\n  charge: {}\n")
    let play = try await bench.run("play", "charge", "--answers", "answers.yaml", "--patience", "1")
    #expect(play.status == .exited(1))
    #expect(play.errors.contains("the step \"charge\" has not ended within 1 s: --stub charge=COMMAND"), "\(play.errors)")
  }
}
