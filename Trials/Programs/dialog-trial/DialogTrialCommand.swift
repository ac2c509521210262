import DialogTrial
import Foundation

/// Plays calls of whiptail and dialog: each line of the standard input is a ``DialogCase``, and each line of the standard
/// output what came of it.
@main struct DialogTrialCommand {
  static func main() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    while let line = readLine() {
      let played = try JSONDecoder().decode(DialogCase.self, from: Data(line.utf8)).play()
      print(String(decoding: try encoder.encode(played), as: UTF8.self))
    }
  }
}
