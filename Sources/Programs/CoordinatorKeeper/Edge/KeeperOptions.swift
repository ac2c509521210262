import Platform
import ProgramQuestions

/// The options of a keeper, from its command line.
package struct KeeperOptions: Sendable, Hashable {
  package var name = ""
  package var title: String?
  package var rows: UInt16 = 24
  package var columns: UInt16 = 80
  /// The program that replaces whiptail, dialog and askpass; nil for the one in the keeper's directory.
  package var shim: String?
  /// The time in seconds for which the exit status is kept.
  package var keep = 60
  /// The path of a file with answers to the questions of packages; nil for none.
  package var selections: String?
  /// The descriptor whose first byte starts the program; nil to start it at once.
  package var hold: Int32?
  /// Descriptors that the program inherits.
  package var passed: [Int32] = []
  /// Another user who may show the program and answer its questions; nil for none.
  package var sharedWith: UInt32?
  /// The program and its arguments, as bytes.
  package var program: [ProgramText] = []

  /// The usage message of the keeper.
  package static let usage = """
    Usage: coordinator-keeper --name ID [--title TITLE] [--size COLUMNSxROWS] [--shim FILE] [--keep SECONDS]
                              [--selections FILE] [--share UID] [--pass FD] [--hold DESCRIPTOR] -- PROGRAM [ARGUMENT…]

    Runs a program on a terminal of its own, and offers its questions at a socket, whose path is printed.

    """

  /// Reads the arguments.
  ///
  /// - Parameter arguments: the arguments, without the name of the keeper.
  /// - Throws: ``KeeperFailure``.
  package init(_ arguments: [ProgramText]) throws(KeeperFailure) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--" {
        program = Array(rest)
        break
      }
      guard let value = rest.popFirst() else { throw Self.wrong("'\(option.string)' is unknown, or needs a value") }
      switch option {
      case "--name": name = value.string
      case "--title": title = value.string
      case "--size": (columns, rows) = try Self.size(value.string)
      case "--shim": shim = value.string
      case "--selections": selections = value.string
      case "--pass":
        guard let descriptor = Int32(value.string), descriptor > 2 else {
          throw Self.wrong("--pass needs the number of a descriptor")
        }
        passed.append(descriptor)
      case "--share":
        guard let user = UInt32(value.string) else { throw Self.wrong("--share needs the number of a user") }
        sharedWith = user
      case "--hold":
        guard let descriptor = Int32(value.string), descriptor >= 0 else { throw Self.wrong("--hold needs a descriptor") }
        hold = descriptor
      case "--keep":
        guard let seconds = Int(value.string), (0...86_400).contains(seconds) else {
          throw Self.wrong("--keep needs a number of seconds")
        }
        keep = seconds
      default: throw Self.wrong("'\(option.string)' is unknown")
      }
    }
    guard !program.isEmpty else { throw Self.wrong("'--' and a program are missing") }
    guard ProgramName.isValid(name) else {
      throw Self.wrong("--name needs up to 64 letters, digits, '-', '_' and '.', with a letter or a digit at the start")
    }
  }

  private static func wrong(_ sentence: String) -> KeeperFailure { KeeperFailure(sentence, status: 64) }

  private static func size(_ text: String) throws(KeeperFailure) -> (UInt16, UInt16) {
    let numbers = text.bytes.split(separator: "x").compactMap { UInt16($0) }
    guard numbers.count == 2, numbers.allSatisfy({ (1...1_000).contains($0) }) else {
      throw wrong("--size needs columns and rows, such as 80x24")
    }
    return (numbers[0], numbers[1])
  }
}
