import ScriptEngine
import Testing

/// Scripts that would execute a stranger's text.
@Suite("What scripts evaluate", .timeLimit(.minutes(1)))
struct EvaluatedAnswerTests {
  private static func line(_ source: String) -> Int? { EvaluatedAnswer.find(in: Array(source.utf8))?.line }

  @Test(
    "A script that evaluates what it has not asked for is found",
    arguments: [
      #"eval "$(ask form f F --text n --secret p)""#, #"eval "$(ask form f F --text n --flag g)""#,
      "eval $(ask form f F --text n)",
      "eval `ask form f F --text n`", #"eval "$(coordinator-ask input x)""#, #"eval "$(ask run child)""#,
      #"eval -- "$(ask run a --value b)""#,
      "eval \"$( ask \\\n  form f \"F (optional)\" \\\n  --text n)\"",
      #"if eval "$(ask form f "It's :)" --text 'n=)')"; then :; fi"#,
      #"answer=$(ask form f F --text n) || exit; eval "$answer""#, #"local a="$(ask form f F --text n)"; eval "${a}""#,
      "a=`ask form f F --text n`\neval $a", "x=$(ask form f F --text n --assignments)\nx=$(ask input y); eval \"$x\"",
      #"eval "x=$(ask form f F --text n)""#, #"eval x=$(ask form f F --text n)"#, #"eval "x='$(ask input y)'; y=1""#,
      "eval \"$(\n  ask form f F --text n)\"", #"eval "$(LC_ALL=C ask form f F --text n)""#,
      #"eval "$(command ask form f F --text n)""#, #"eval "$(/opt/bin/ask form f F --text n)""#,
      #"eval "$(cd /; ask form f F --text n)""#,
      #"eval " $(ask form f F --text n)""#, #"a=$(ask form f F --text n); eval "x=1; $a""#,
      #"eval '' "$(ask form f F --text n)""#,
      #"eval "$(ask form f "Use --assignments" --text n --secret p)""#,
      #"eval "$(ask form f "--json" --text n)""#, "cat <<'E' >x\nE\neval \"$(ask input y)\"",
      "a=1 # it's\neval \"$(ask input y)\"", "echo \"Let's begin.\"\neval \"$(ask input y)\"",
      "usage() { echo \"Usage: don't\"; }\neval \"$(ask input y)\"", "true;# don't\neval \"$(ask input y)\"",
      "x=$'it\\'s'\neval \"$(ask input y)\"", "x=\"$(cat <<T\nDon't\nT\n)\"\neval \"$(ask input y)\"",
      "echo \"1 << 2\" $((1 << 2)) $(((1) << 2))\neval \"$(ask input y)\"", "((x << 2))\neval \"$(ask input y)\"",
      "x=\"$(case $y in a) echo \"it's\";; esac)\"\neval \"$(ask input y)\"",
      "x=\"${y:-\"It's\"}\"\neval \"$(ask input y)\"", #"x="$(eval "$(ask input y)")""#, #"a=$(ask input y); b=$a; eval "$b""#,
      #"a=x; a+=$(ask input y); eval "$a""#, #"LC_ALL=C eval "$(ask input y)""#, #"true && eval "$(ask input y)""#,
      #"case x in x) eval "$(ask input y)";; esac"#, #"eval "$(ask list l L --items=-)""#,
    ])
  func evaluatedAnswersAreFound(source: String) {
    #expect(Self.line(source) != nil)
    #expect(Self.line("#!/bin/sh\n# coordinator: title=T\n\(source)\n") ?? 0 > 2)
  }

  @Test(
    "A script that asks for assignments, or evaluates nothing of this, is left alone",
    arguments: [
      #"eval "$(ask form f F --text n --assignments)""#,
      "eval \"$(ask form f \"F :)\" \\\n  --text n \\\n  --assignments --error \"$problem\")\"",
      #"eval "$(ask form f "F (a) 'b' \" $(date '+%H)')" --assignments --text n)""#,
      #"eval "$(ask run child --assignments=a,b)""#,
      #"eval "$(ask form f F --text n --json | jq -r @sh)""#, #"name=$(ask form f F --text n); echo "$name""#,
      #"eval "$(ask look a -- dircolors)""#, "x \u{C} eval $(ask form f F --text n)",
      #"# eval "$(ask form f F --text n)""#, #"medieval "$(ask form f F --text n)""#,
      #"a=$(ask form f F --text n); a=$(date); eval "$a""#,
      #"act=$(ask menu a A x=X); eval "$act""#, #"eval "$(ask menu a A x=X)""#,
      #"ask message m M 'never eval "$(ask form f F --text n)"'"#,
      "cat <<E >x\neval \"$(ask form f F --text n)\"\nE\necho", "cat <<-\"E\" >x\n\teval \"$(ask input y)\"\n\tE\necho",
      "cat <<<x; echo", "eval \"$(ask form f F --body \"$(cat <<E\nDon't\nE\n)\" --text n --assignments)\"",
      #"eval "$(ask form f $'It\'s' --text n --assignments)""#, #"eval "$(ask form f "${T:-"It's"}" --text n --assignments)""#,
      #"n=$(ask input y); ask menu eval "How was it, $n?" a=A"#, #"n=$(ask input y); echo "We will eval $n later.""#,
      #"n=$(ask input y); lua-like-eval "$n""#, #"n=$(ask input y); for n in 1 2; do eval "v_$n=0"; done"#,
      #"n=$(ask input y); date | { read -r n; eval "$n"; }"#, #"disk=$(ask list d D a=A b=B); eval "size=\$size_$disk""#,
      #"n=$(ask input y); eval "x=${n@Q}""#,
      #"echo "never eval \"\$(ask form f F --text n)\"""#, "eval", "eval \"", "x=$(ask", "eval \"$(ask form f F --text 'n", "",
      "eval \"$other\"", "'eval' \\", "eval \"$((1)\"", "$((", "$(((", "((", "))", "${", "`", "$((1)",
      String(repeating: "$(", count: 100_000), String(repeating: "case\n'`", count: 100_000),
      (0..<50_000).map { "<<E\($0)\n" }.joined(), String(repeating: "$'\\'", count: 100_000),
      String(repeating: "x=\"$(", count: 50_000),
    ])
  func otherScriptsAreLeftAlone(source: String) {
    #expect(Self.line(source) == nil || source.hasSuffix("--text 'n"))
  }

  @Test("The line of the eval is reported")
  func lineIsTold() {
    #expect(Self.line("#!/bin/sh\nx=1\neval \"$(ask form f F --text n)\"\n") == 3)
  }

  @Test("Bytes that are no script are read to their end", arguments: [UInt64.random(in: 0 ... .max)])
  func anyBytesAreRead(seed: UInt64) {
    var state = seed
    let pieces = [
      "eval ", "$(", "ask ", "form ", "\"", "'", "`", "\\", "\n", ")", "(", "x=", "$((", "))", "${", "}", "case ", "esac", "<<E",
      "$x", "#", "é", "--assignments", "\t", "\r", "\u{B}", "\u{C}", " ",
    ]
    for _ in 0..<2_000 {
      var source = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        source += pieces[Int(state >> 33) % pieces.count]
      }
      _ = Self.line(source)
    }
  }
}
