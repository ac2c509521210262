/// The arguments of whiptail, as popt parses them: options may be at any position.
struct WhiptailArguments: Sendable, Hashable {
  /// The boxes, in the order in which they were given; more than one is a mistake.
  var boxes: [String] = []
  /// The options without a value.
  var flags: Set<String> = []
  /// The values of the options that take one; the last value applies.
  var values: [String: ProgramText] = [:]
  /// The words that are not options.
  var rest: [ProgramText] = []
  /// The first invalid argument, and the reason.
  var mistake: (ProgramText, String)? { mistaken.map { ($0.argument, $0.reason) } }

  private var mistaken: Mistake?

  private struct Mistake: Sendable, Hashable {
    var argument: ProgramText
    var reason: String
  }

  private static let boxNames: Set<String> = [
    "msgbox", "yesno", "infobox", "inputbox", "passwordbox", "textbox", "menu", "checklist", "radiolist", "gauge",
  ]
  private static let flagNames: Set<String> = [
    "clear", "defaultno", "fb", "fullbuttons", "nocancel", "noitem", "notags", "scrolltext", "separate-output", "topleft",
    "help", "version",
  ]
  private static let valueNames: Set<String> = [
    "backtitle", "default-item", "title", "output-fd", "yes-button", "no-button", "ok-button", "cancel-button",
  ]

  /// Reads the arguments.
  init(_ arguments: [ProgramText]) {
    var next = arguments[...]
    while mistaken == nil, boxes.count < 2, let argument = next.popFirst() {
      if argument == "--" {
        rest += next
        return
      }
      if argument.begins(with: "--") {
        readLong(argument, &next)
      } else if argument.begins(with: "-"), argument != "-" {
        readShort(argument)
      } else {
        rest.append(argument)
      }
    }
  }

  private mutating func readLong(_ argument: ProgramText, _ next: inout ArraySlice<ProgramText>) {
    let word = argument.bytes.dropFirst(2)
    let equals = word.firstIndex(of: UInt8(ascii: "="))
    let name = ProgramText(word[..<(equals ?? word.endIndex)]).string
    if Self.boxNames.contains(name) || Self.flagNames.contains(name) {
      guard equals == nil else {
        mistaken = Mistake(argument: argument, reason: "option does not take an argument")
        return
      }
      if Self.boxNames.contains(name) { boxes.append(name) } else { flags.insert(name) }
    } else if Self.valueNames.contains(name) {
      var value = equals.map { ProgramText(word[($0 + 1)...]) }
      var last = argument
      if value == nil {
        value = next.popFirst()
        last = value ?? argument
      }
      guard let value else {
        mistaken = Mistake(argument: argument, reason: "missing argument")
        return
      }
      values[name] = value
      guard name == "output-fd" else { return }
      guard let number = CNumber.whole(value, anyBase: true) else {
        mistaken = Mistake(argument: last, reason: "invalid numeric value")
        return
      }
      if Int32(exactly: number) == nil { mistaken = Mistake(argument: last, reason: "number too large or too small") }
    } else {
      mistaken = Mistake(argument: argument, reason: "unknown option")
    }
  }

  private mutating func readShort(_ argument: ProgramText) {
    for letter in argument.bytes.dropFirst() {
      switch letter {
      case UInt8(ascii: "h"): flags.insert("help")
      case UInt8(ascii: "v"): flags.insert("version")
      default:
        mistaken = Mistake(argument: argument, reason: "unknown option")
        return
      }
    }
  }
}
