import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages

extension MirroredWindow {
  /// The window as its user sees it: if this client may only see the top screen, a message says so, and nothing can be chosen.
  package var withoutClosedAnswers: MirroredWindow {
    guard let closed, var top else { return self }
    top.back = false
    top.leaves = false
    let reason = Text("You can see this, but not answer it.").string
    for index in top.screen.actions.indices { top.screen.actions[index].disabled = reason }
    top.screen.items = top.screen.items.map { items in
      items.map { item in
        var item = item
        item.disabled = reason
        return item
      }
    }
    let sentence = ContractError.mayNotAnswer(message: closed).sentence
    top.screen.messages.append(ScreenMessage(.info, code: "closed", text: Text(verbatim: sentence)))
    var window = self
    window.screens[window.screens.count - 1] = top
    return window
  }
}
