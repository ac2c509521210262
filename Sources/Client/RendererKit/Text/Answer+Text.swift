import CoordinatorBus
import Languages

extension Answer {
  /// A sentence for users of other renderers of the same flow: "Answered in the browser."
  public var sentence: String { sentence(inKind: "") }

  /// Returns a sentence for users of a renderer of the given kind, which calls a renderer of the same kind another one:
  /// "Answered in another terminal (pts/3, anna)."
  public func sentence(inKind own: String) -> String {
    let name = String(name.printable.prefix(48))
    let text: Text =
      switch (kind, name.isEmpty) {
      case ("", _): "Answered elsewhere."
      case ("terminal", true): own == kind ? "Answered in another terminal." : "Answered in the terminal."
      case ("terminal", false):
        own == kind
          ? Text("Answered in another terminal ({name}).", ["name": name])
          : Text("Answered in the terminal ({name}).", ["name": name])
      case ("web", true): "Answered in the browser."
      case ("web", false): Text("Answered in the browser ({name}).", ["name": name])
      default: Text("Answered in {name}.", ["name": name.isEmpty ? kind.printable : name])
      }
    return text.string
  }
}
