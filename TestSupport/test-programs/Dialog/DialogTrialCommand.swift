import DialogTrial
import Foundation

/// Plays calls of whiptail and dialog: each line of the standard input is a ``DialogCase``, and each line of the standard
/// output its outcome.
///
/// With a path as its argument, listens there: serves one call of the shim per line, and prints its screens.
struct DialogTrialCommand {
  static func main() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let keeper = CommandLine.arguments.count > 1 ? try ShimKeeper(path: CommandLine.arguments[1]) : nil
    if keeper != nil { report("listening") }
    while let line = readLine() {
      let played = try JSONDecoder().decode(DialogCase.self, from: Data(line.utf8))
      if let keeper {
        do {
          report(String(decoding: try encoder.encode(keeper.keep(played.acts)), as: UTF8.self))
        } catch { report("\"\(error)\"") }
      } else {
        report(String(decoding: try encoder.encode(played.play()), as: UTF8.self))
      }
    }
  }

  private static func report(_ line: String) {
    print(line)
    fflush(nil)
  }
}
