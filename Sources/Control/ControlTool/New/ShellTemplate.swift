/// A new flow that is a script of the shell.
struct ShellTemplate: Sendable {
  private let name: String

  init(_ name: String) { self.name = name }

  /// The files, and the commands that try them.
  var contents: (files: [NewFlow.File], commands: [String]) {
    (
      [
        NewFlow.File(path: name, text: script, isExecutable: true),
        NewFlow.File(path: "\(name).answers.yaml", text: answers),
        NewFlow.File(path: "\(name).test", text: test, isExecutable: true),
      ],
      [
        "./\(name).test", "mkdir -p ~/.config/coordinatord/flows", "cp \(name) ~/.config/coordinatord/flows/",
        "coordinator-tui \(name)",
      ]
    )
  }

  private var script: String {
    """
    #!/bin/sh
    # coordinator: title=\(NewFlow.title(name)); version=1
    # What stands outside of 'ask step' and 'ask look' may run any number of times: after Back, and after a crash.
    person=$(ask form person "Who are you?" --text name=Name)
    word=$(ask menu word "How do you want to be greeted?" hello=Hello welcome=Welcome)
    ask confirm sure "Shall $person be greeted?" || ask cancel
    greeting=$(ask step greet --busy Greeting -- printf '%s, %s!' "$word" "$person") || ask fail no-greeting "It did not work."
    ask message greeted "Greeted" "$greeting"
    ask finish greeting="$greeting"

    """
  }

  private var answers: String {
    """
    flow: \(name)
    answers:
      \(name):
        person: { name: Ada }
        word: hello
        sure: yes
        greeted: okay

    """
  }

  private var test: String {
    """
    #!/bin/sh
    # Tests \(name) without a daemon: every path; its answers file; the same with Back and with a crash everywhere.
    set -e
    cd "$(dirname "$0")"
    coordinator-scripts check \(name)
    coordinator-scripts play \(name) --answers \(name).answers.yaml --strict --back-everywhere --crash-everywhere \\
      --stub greet='printf "Hello, Ada!"'

    """
  }
}
