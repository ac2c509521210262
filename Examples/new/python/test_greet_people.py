from coordinator.testing import explore, play

from greet_people import greet_people


def test_a_greeting() -> None:
    flow = play(greet_people).answer("person", name="Ada").answer("word", "hello").back()
    assert flow.screen.name == "word" and flow.screen.suggested == "hello"
    flow.answer("welcome").restart().answer("sure", "yes")
    assert flow.screen.body == "Welcome, Ada!" and not flow.can_go_back
    assert flow.answer("okay").result == {"greeting": "Welcome, Ada!"}


def test_every_path() -> None:
    walk = explore(greet_people, stubs={"greet": "Hello!"})
    assert walk.screens == {"person", "word", "sure", "greeted"}


if __name__ == "__main__":
    test_a_greeting()
    test_every_path()
    print("every test has passed")
