import Foundation
import TestBus
import Testing

@Suite("Tools that try scripts without a daemon", .timeLimit(.minutes(5)))
struct ScriptToolTests {
  private static let coffee = """
    size=$(ask menu size "How large?" small=Small large=Large)
    if ask confirm milk "With milk?"; then milk=yes; else milk=no; fi
    number=$(ask step order -- sh -c 'echo "$COORDINATOR_KEY $COORDINATOR_ATTEMPT" >>"$1"; echo 7' sh "$notes") ||
      ask fail no-coffee "No coffee."
    ask message ready "Here it is" "$size, milk: $milk"
    ask finish size="$size" milk="$milk"
    """
  private static let answers = """
    flow: coffee
    answers:
      coffee: { size: large, milk: no, ready: okay }
    """

  @Test("Every path through a script is walked, without doing its steps")
  func scriptIsChecked() async throws {
    let bench = try ScriptBench()
    try bench.write("coffee", Self.coffee)
    let check = try await bench.run("check", "coffee")
    #expect(check.status == .exited(0), "\(check.errors)")
    #expect(
      check.output
        == "coffee: 8 paths, 3 questions (milk, ready, size), 1 step (order); ends: failed no-coffee, finished\n")
    #expect(bench.noted == [])
    let cut = try await bench.run("check", "coffee", "--max-paths", "3")
    #expect(cut.errors.contains("stopped after 3 paths"), "\(cut.errors)")
  }

  @Test("Of a script that begins anew without end, it is said what keeps growing")
  func growthIsNamed() async throws {
    let bench = try ScriptBench()
    try bench.write("rounds", #"n=$(ask input n 0); ask confirm on "Round $n" || ask finish; ask again n=$((n + 1))"#)
    let check = try await bench.run("check", "rounds", "--max-paths", "9")
    #expect(check.status == .exited(0), "\(check.output)")
    #expect(check.errors.contains("rounds: n in the input of rounds keeps growing: …, "), "\(check.errors)")
  }

  @Test("A question whose text differs from run to run is found, with both texts and the line")
  func changingTextIsFound() async throws {
    let bench = try ScriptBench()
    try bench.write("random", #"ask menu size "How large? $$" small=Small; ask message ready Ready "It is.""#)
    let check = try await bench.run("check", "random")
    #expect(check.status == .exited(1))
    #expect(
      check.output.contains(#"two runs with the same log differ at operation 1, ask "size" at random:4:"#), "\(check.output)")
    #expect(check.output.split(separator: "\n").filter { $0.hasPrefix("  title: \"How large? ") }.count == 2)
  }

  @Test("A question that depends on chance outside of a step is found, with both operations")
  func chanceIsFound() async throws {
    let bench = try ScriptBench()
    // The runs alternate, to simulate randomness.
    try bench.write(
      "branch",
      """
      ask menu size "How large?" small=Small
      echo x >>"$notes"
      if [ $(($(wc -l <"$notes") % 2)) = 0 ]; then ask confirm extra "Extra?"; fi
      ask message ready Ready
      """)
    let check = try await bench.run("check", "branch")
    #expect(check.status == .exited(1))
    for side in [#"ask "extra" at branch:6"#, #"ask "ready" at branch:7"#] {
      #expect(check.output.contains("\n  \(side)\n"), "\(check.output)")
    }
  }

  @Test("A text with the time is found, although both runs of a path would have it in the same second")
  func clockIsFound() async throws {
    let bench = try ScriptBench()
    try bench.write("clock", #"ask message now "It is $(date +%T)""#)
    let check = try await bench.run("check", "clock")
    #expect(check.status == .exited(1))
    #expect(check.output.contains("  title: \"It is "), "\(check.output)")
  }

  @Test("A script that ends with an error on some path is found, with the answers that lead there")
  func errorIsFound() async throws {
    let bench = try ScriptBench()
    try bench.write(
      "typo", #"size=$(ask menu size "How large?" small=Small large=Large); [ "$size" = small ] || exit 3; ask message ok Okay"#)
    let check = try await bench.run("check", "typo")
    #expect(check.status == .exited(1))
    #expect(check.output.contains("exited with status 3\n  after: size: large\n"), "\(check.output)")
  }

  @Test("Answers are played, and the flow ends in the same way with Back and with a crash everywhere")
  func answersArePlayed() async throws {
    let bench = try ScriptBench()
    try bench.write("coffee", Self.coffee)
    try bench.keep("answers.yaml", Self.answers)
    let play = try await bench.run("play", "coffee", "--answers", "answers.yaml", "--back-everywhere", "--crash-everywhere")
    #expect(play.status == .exited(0), "\(play.errors)")
    #expect(
      play.output == """
        size "How large?" ▸ large
        milk "With milk?" ▸ no
        step order ▸ done
        ready "Here it is" ▸ okay
        milk: no
        size: large
        the same with Back everywhere: 1×
        the same with a crash everywhere: 3×

        """)
    // Played three times; the crash comes before the step has begun, and counts as an attempt.
    #expect(bench.noted.map { String($0.split(separator: " ").last ?? "") } == ["1", "1", "2"])
  }

  @Test("In a crash, no process of a script sees the end of another one")
  func everythingDiesAtOnce() async throws {
    let bench = try ScriptBench()
    try bench.write(
      "waits",
      """
      for number in 1 2 3 4 5 6 7 8 9 10; do (sleep 1000; [ $? != 137 ] || echo "a crash was seen" >>"$notes") & done
      ask message first First
      ask message second Second
      """)
    try bench.keep("answers.yaml", "flow: waits\nanswers:\n  waits: { first: okay, second: okay }\n")
    let play = try await bench.run("play", "waits", "--answers", "answers.yaml", "--crash-everywhere")
    #expect(play.status == .exited(0), "\(play.errors)")
    #expect(bench.noted == [])
  }

  @Test("A stub takes the place of a step, and a play exits as coordinatorctl answer does")
  func exitCodes() async throws {
    let bench = try ScriptBench()
    try bench.write("coffee", Self.coffee)
    try bench.keep("answers.yaml", Self.answers)
    let failed = try await bench.run("play", "coffee", "--answers", "answers.yaml", "--stub", "order=exit 1")
    #expect(failed.status == .exited(4), "\(failed.errors)")
    #expect(bench.noted == [])
    try bench.keep("short.yaml", "answers:\n  coffee: { size: large }\n")
    let missing = try await bench.run("play", "coffee", "--answers", "short.yaml")
    #expect(missing.status == .exited(5))
    #expect(missing.errors.contains("no answer for answers: coffee: milk"), "\(missing.errors)")
    try bench.keep("wrong.yaml", "answers:\n  coffee: { size: huge }\n")
    let wrong = try await bench.run("play", "coffee", "--answers", "wrong.yaml")
    #expect(wrong.status == .exited(1))
    #expect(wrong.errors.contains("does not offer 'huge'"), "\(wrong.errors)")
    #expect(try await bench.run("play", "none", "--answers", "answers.yaml").status == .exited(1))
    #expect(try await bench.run("play", "coffee").status == .exited(64))
  }

  @Test("An input that does not fit the script is refused before the script runs, as coordinatorctl answer refuses it")
  func inputIsChecked() async throws {
    let bench = try ScriptBench()
    try bench.write(
      "greet", header: "input=name:Your name, other?", #"echo ran >>"$notes"; ask finish hello="$(ask input name)""#)
    try bench.keep("answers.yaml", "flow: greet\ninput: {name: Ada}\nanswers: {}\n")
    for (given, reason) in [("name:=null", "  name: is required"), ("name:=7", "  name: "), ("nick=Al", "  nick: ")] {
      let refused = try await bench.run("play", "greet", "--answers", "answers.yaml", "--input", given)
      #expect(refused.status == .exited(9) && refused.output == "", "\(refused.errors)")
      #expect(refused.errors.contains("the flow does not accept this input\n\(reason)"), "\(refused.errors)")
    }
    #expect(bench.noted == [])
    let play = try await bench.run("play", "greet", "--answers", "answers.yaml", "--input", "other=x")
    #expect(play.status == .exited(0) && play.output.contains("hello: Ada"), "\(play.errors)")
  }

  @Test("A script that counts its runs is found by Back everywhere")
  func backFindsMistakes() async throws {
    let bench = try ScriptBench()
    try bench.write(
      "counter",
      """
      echo x >>"$notes"
      ask menu size "How large?" small=Small large=Large
      ask message ready "Run $(wc -l <"$notes")"
      """)
    try bench.keep("answers.yaml", "answers:\n  counter: { size: large, ready: okay }\n")
    let play = try await bench.run("play", "counter", "--answers", "answers.yaml", "--back-everywhere")
    #expect(play.status == .exited(1))
    #expect(play.errors.contains("with Back everywhere: the question ready is shown in another way"), "\(play.errors)")
  }

  @Test("A secret reaches the step, and is neither printed nor lost by a crash")
  func secretIsPlayed() async throws {
    let bench = try ScriptBench()
    try bench.write(
      "login",
      """
      problem=
      until ask form account "Log in" --secret password --error "$problem" &&
        ask step log-in --stdin password -- sh -c '[ "$(cat)" = open-sesame ] && echo in >>"$1"' sh "$notes"
      do problem="Wrong."; done
      ask message welcome Welcome
      """)
    try bench.keep("wrong", "wrong-one\n")
    try bench.keep("right", "open-sesame\n")
    try bench.keep(
      "answers.yaml",
      """
      answers:
        login:
          account: [{ password: { file: wrong } }, { password: { file: right } }]
          welcome: okay
      """)
    let play = try await bench.run("play", "login", "--answers", "answers.yaml", "--crash-everywhere")
    #expect(play.status == .exited(0), "\(play.output) \(play.errors)")
    #expect(bench.noted == ["in", "in"])
    #expect(!play.output.contains("open-sesame"))
  }

  @Test("The graph shows what leads to what, as text and for Graphviz")
  func graphIsPrinted() async throws {
    let bench = try ScriptBench()
    try bench.write("coffee", Self.coffee)
    let text = try await bench.run("graph", "coffee")
    #expect(text.output.contains("  size  \"How large?\"\n    small → milk\n    large → milk\n"), "\(text.output)")
    #expect(text.output.contains("  step order\n    done → ready\n    fails → failed no-coffee\n"))
    let dot = try await bench.run("graph", "coffee", "--dot")
    #expect(dot.output.hasPrefix("digraph \"coffee\" {\n"))
    #expect(dot.output.contains("  \"question milk\" -> \"step order\" [label=\"yes\"];\n"), "\(dot.output)")
  }

  @Test("The program prints its version")
  func version() async throws {
    let bench = try ScriptBench()
    let version = try await bench.run("--version")
    #expect(version.status == .exited(0) && version.output.first?.isNumber == true)
  }
}
