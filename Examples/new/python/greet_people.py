#!/usr/bin/env python3
from coordinator import UI, flow, serve


def greet(word: str, name: str) -> str:
    return f"{word.capitalize()}, {name}!"


# What stands outside of ui.step and ui.look may run any number of times: after Back, and after a crash.
@flow("greet-people", title="Greet people")
async def greet_people(ui: UI) -> dict[str, str]:
    person = await ui.form("person", "Who are you?", ui.text("name", "Name"))
    word = await ui.menu("word", "How do you want to be greeted?", hello="Hello", welcome="Welcome")
    if not await ui.confirm("sure", f"Shall {person.name} be greeted?"):
        ui.cancel()
    greeting = await ui.step("greet", greet, word, person.name, busy="Greeting")
    await ui.message("greeted", "Greeted", str(greeting))
    return {"greeting": str(greeting)}


if __name__ == "__main__":
    serve(greet_people)
