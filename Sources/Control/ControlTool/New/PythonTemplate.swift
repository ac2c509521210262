/// A new flow that is a script in Python.
struct PythonTemplate: Sendable {
  private let name: String

  init(_ name: String) { self.name = name }

  /// The name of the module and of the function.
  private var identifier: String { name.split(separator: "-").joined(separator: "_") }

  /// The files, and the commands that try them.
  var contents: (files: [NewFlow.File], commands: [String]) {
    (
      [
        NewFlow.File(path: "\(identifier).py", text: script, isExecutable: true),
        NewFlow.File(path: "test_\(identifier).py", text: test),
      ],
      [
        "python3 test_\(identifier).py", "coordinator-scripts check \(identifier).py",
        "mkdir -p ~/.config/coordinatord/flows", "cp \(identifier).py ~/.config/coordinatord/flows/", "coordinator-tui \(name)",
      ]
    )
  }

  private var script: String {
    """
    #!/usr/bin/env python3
    from coordinator import UI, flow, serve


    def greet(word: str, name: str) -> str:
        return f"{word.capitalize()}, {name}!"


    # What stands outside of ui.step and ui.look may run any number of times: after Back, and after a crash.
    @flow("\(name)", title="\(NewFlow.title(name))")
    async def \(identifier)(ui: UI) -> dict[str, str]:
        person = await ui.form("person", "Who are you?", ui.text("name", "Name"))
        word = await ui.menu("word", "How do you want to be greeted?", hello="Hello", welcome="Welcome")
        if not await ui.confirm("sure", f"Shall {person.name} be greeted?"):
            ui.cancel()
        greeting = await ui.step("greet", greet, word, person.name, busy="Greeting")
        await ui.message("greeted", "Greeted", str(greeting))
        return {"greeting": str(greeting)}


    if __name__ == "__main__":
        serve(\(identifier))

    """
  }

  private var test: String {
    """
    from coordinator.testing import explore, play

    from \(identifier) import \(identifier)


    def test_a_greeting() -> None:
        flow = play(\(identifier)).answer("person", name="Ada").answer("word", "hello").back()
        assert flow.screen.name == "word" and flow.screen.suggested == "hello"
        flow.answer("welcome").restart().answer("sure", "yes")
        assert flow.screen.body == "Welcome, Ada!" and not flow.can_go_back
        assert flow.answer("okay").result == {"greeting": "Welcome, Ada!"}


    def test_every_path() -> None:
        walk = explore(\(identifier), stubs={"greet": "Hello!"})
        assert walk.screens == {"person", "word", "sure", "greeted"}


    if __name__ == "__main__":
        test_a_greeting()
        test_every_path()
        print("every test has passed")

    """
  }
}
