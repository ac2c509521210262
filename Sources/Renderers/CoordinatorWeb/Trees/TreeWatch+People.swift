import CoordinatorClient
import Languages
import RendererKit

/// The people who have a tree open, and those who type in it.
extension TreeWatch {
  /// Removes a page whose connection has ended.
  func forget(_ listener: Int) {
    listeners.remove(listener)
    guard people.visitor(listener) != nil else { return }
    people.remove(listener)
    peopleHaveChanged()
  }

  /// Records an event about other people, before it is applied to the view.
  func notePeople(_ event: WindowEvent) {
    switch event {
    case .participants(let participants):
      people.take(participants, own: own)
      peopleHaveChanged()
    case .typing(let screen, let participant):
      people.typing(participant, on: screen)
      tellTyping(participant.title, except: nil)
    case .drafted(let screen, let draft):
      let before = view?.window?.screens.first { $0.id == screen }?.draft ?? [:]
      people.typed(instead: before, draft, on: screen, by: nil)
    case .window(let window): people.keep(onlyScreens: Set(window.screens.map(\.id)))
    default: break
    }
  }

  /// Notifies each page of the other people, and other renderers of the people at the pages.
  func peopleHaveChanged() {
    speaking {
      listeners.tell { number in
        ServerSentEvent("people", ["text": .string(people.sentence(for: people.visitor(number)?.id))])
      }
    }
    Task { [mirror, names = people.names] in await mirror.show(to: names) }
  }

  /// Notifies the pages of all browsers but one that a person is typing.
  func tellTyping(_ name: String, except id: Token?) {
    let event = ServerSentEvent(
      "typing", ["text": .string(speaking { Text("Typing: {name}", ["name": name]).string })])
    listeners.tell { number in id == nil || people.visitor(number)?.id != id ? event : nil }
  }

  /// Runs a closure that makes words, in the language of the tree.
  private func speaking<Words>(_ body: () -> Words) -> Words {
    view?.language.map { languages.speaking($0, body) } ?? body()
  }
}
