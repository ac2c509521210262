import Platform

/// The arguments of dialog, consumed from left to right.
struct DialogArguments: Sendable, Hashable {
  /// A word, and whether it can end a box as an option: a word after `--` cannot.
  struct Word: Sendable, Hashable {
    var text: ProgramText
    var isOption: Bool
  }

  /// The words, without the program's name.
  var words: [Word] = []

  var count: Int { words.count }

  /// The word at an index; nil after the last.
  subscript(index: Int) -> ProgramText? { words.indices.contains(index) ? words[index].text : nil }

  /// Returns the name of the option at an index; nil if the word is not an option.
  func option(at index: Int, pass: Int = 7) -> DialogOption? { self[index].flatMap { DialogOption.find($0, pass: pass) } }

  /// Returns the number of words from an index up to the next option, including the word at the index.
  func rest(at index: Int) -> Int {
    var end = index + 1
    while end < words.count, !words[end].isOption || option(at: end) == nil { end += 1 }
    return end - index
  }

  /// Reads the arguments: `--` escapes the next one, the words of a file replace `--file`, and `--args` prints the arguments.
  ///
  /// - Parameters:
  ///   - given: the arguments.
  ///   - program: the run that ends if an argument is invalid.
  ///   - console: the inputs and outputs of the call.
  /// - Throws: the next step, if a file is needed or cannot be read.
  init(_ given: [ProgramText], of program: DialogRun, on console: inout DialogConsole) throws(DialogStep) {
    var rest = given[...]
    var files = 0
    while let word = rest.popFirst() {
      switch word {
      case "--":
        if let next = rest.popFirst() { words.append(Word(text: next, isOption: false)) }
      case "--args":
        console.write(ProgramText("Showing arguments at arg\(words.count + 1)\n arg0:dialog\n"), to: 2)
        let all = words.map(\.text) + [word] + rest
        for (index, text) in all.enumerated() { console.write(ProgramText(" arg\(index + 1):") + text + "\n", to: 2) }
      case "--file":
        files += 1
        guard files <= 20 + given.count else { throw program.failure("Too many --file options", &console) }
        guard let path = rest.popFirst() else { throw program.failure("No value given for --file", &console) }
        let isDescriptor = path.begins(with: "&")
        let number = CNumber(ProgramText(path.bytes.dropFirst())).value
        let descriptor = Int32(truncatingIfNeeded: number)
        let input = try console.take(isDescriptor ? .readDescriptor(descriptor) : .read(path, .whole))
        guard case .file(let bytes) = input else { throw program.failure("Cannot open --file " + path, &console) }
        rest = (DialogWords.split(ProgramText(bytes.prefix { $0 != 0 })) + rest)[...]
      default:
        let isOption = word.begins(with: "--") && word.bytes.count > 2 && word.bytes[2].isASCIILetter
        words.append(Word(text: word, isOption: isOption))
      }
    }
  }

  /// Creates arguments from the options in `DIALOGOPTS`.
  init(options: [ProgramText]) { words = options.map { Word(text: $0, isOption: true) } }
}
