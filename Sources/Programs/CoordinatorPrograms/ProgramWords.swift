import CoordinatorKit
import Platform

/// The words of a program's screen that this product adds to those of the program. Keepers, and the programs that replace whiptail
/// and others, have no translations: the flow translates them.
extension Screen {
  private static let ownWords = Screen.words([
    Text("OK"), Text("Cancel"), Text("Yes"), Text("No"), Text("Extra"), Text("Help"), Text("Answer"), Text("Password"),
    Text("Text"), Text("Number"), Text("Again"), Text("They are not the same."), Text("The system asks for a password"),
    Text("Keep the current version"), Text("Install the package maintainer's version"), Text("Show the differences"),
    Text("Leave it empty to keep the present one."), Text("The program has filled it in. Leave it empty to keep that."),
    Text("This question has too many rows or fields to be shown."),
  ])
  /// The beginning of a title that ends with a path.
  private static let fileTitle = "Configuration file "

  /// The screen with these words in the language of the current task.
  var withTranslatedWords: Screen {
    var screen = translated(by: Self.ownWords)
    if name.bytes.hasPrefix("dpkg-conffile/"), let path = title.bytes.dropping(prefix: Self.fileTitle) {
      screen.title = Text("Configuration file {path}", ["path": String(path)]).string
    }
    return screen
  }
}
