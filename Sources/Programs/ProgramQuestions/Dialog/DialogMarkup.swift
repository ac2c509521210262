import CoordinatorKit
import Forms
import Platform

/// Text with dialog's `\Z` sequences. Bold, underlined, reversed and colored text is emphasized.
struct DialogMarkup: Sendable, Hashable {
  /// The text without the sequences.
  var plain: ProgramText
  /// The pieces of the text, each with or without emphasis.
  private(set) var pieces: [Piece]

  struct Piece: Sendable, Hashable {
    var text: ProgramText
    var isStrong: Bool
  }

  /// Whether any piece is emphasized.
  var isMarked: Bool { pieces.contains(where: \.isStrong) }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - isOn: whether `--colors` enables the sequences.
  init(_ text: ProgramText, isOn: Bool) {
    guard isOn else {
      (plain, pieces) = (text, [Piece(text: text, isStrong: false)])
      return
    }
    var state = State()
    var piece: [UInt8] = []
    (plain, pieces) = ("", [])
    var index = 0
    let bytes = text.bytes
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "Z") {
        let before = state.isStrong
        state.apply(bytes[index + 2])
        if before != state.isStrong { add(&piece, isStrong: before) }
        index += 3
        continue
      }
      piece.append(bytes[index])
      index += 1
    }
    add(&piece, isStrong: state.isStrong)
  }

  private mutating func add(_ piece: inout [UInt8], isStrong: Bool) {
    guard !piece.isEmpty else { return }
    pieces.append(Piece(text: ProgramText(piece), isStrong: isStrong))
    plain.bytes += piece
    piece = []
  }

  private struct State {
    var attributes: Set<UInt8> = []
    var hasColor = false
    var isStrong: Bool { hasColor || !attributes.isEmpty }

    mutating func apply(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "n"): self = State()
      case UInt8(ascii: "b"), UInt8(ascii: "u"), UInt8(ascii: "r"): attributes.insert(byte)
      case UInt8(ascii: "B"), UInt8(ascii: "U"), UInt8(ascii: "R"): attributes.remove(byte.asciiLowercased)
      // Black and white are the usual colors of text.
      case UInt8(ascii: "0"), UInt8(ascii: "7"): hasColor = false
      case UInt8(ascii: "1")...UInt8(ascii: "6"): hasColor = true
      default: break
      }
    }
  }
}

extension DialogBox {
  /// The ids of the rows: their tags, or `#` and the row number if a tag is unsuitable as an id.
  var itemIDs: [String] {
    // Programs that compare strings by canonical equivalence treat equivalent ids as the same.
    var count: [String: Int] = [:]
    for item in items { count[item.tag.string, default: 0] += 1 }
    return items.enumerated().map { index, item in
      let isGood = !item.tag.isEmpty && count[item.tag.string] == 1 && item.tag.bytes.count <= 200 && DialogText.isPlain(item.tag)
      // `#` is reserved for row numbers.
      return isGood && !item.tag.begins(with: "#") ? item.tag.string : "#\(index + 1)"
    }
  }

  var shownItems: [Item] {
    // Short tags are numbers or hot keys; long tags are the labels of the rows.
    let hasShortTags = items.allSatisfy { $0.tag.string.unicodeScalars.count <= 3 }
    return zip(itemIDs, items).map { id, item in
      let tag = DialogText.line(item.tag)
      let text = DialogText.line(DialogMarkup(item.text, isOn: hasMarkup).plain)
      let help = item.help.isEmpty ? nil : DialogText.line(item.help)
      if text.isEmpty || tag.isEmpty || !item.showsTag {
        return Item(id, verbatim: !text.isEmpty ? text : !tag.isEmpty ? tag : id, subtitle: help)
      }
      return hasShortTags ? Item(id, verbatim: "\(tag) \(text)", subtitle: help) : Item(id, verbatim: tag, subtitle: text)
    }
  }

  /// The initial rows, and how many can be chosen.
  var choosing: Choosing {
    let ids = itemIDs
    let count = chosenCount == 1...1 ? nil : chosenCount
    if case .menu = kind { return Choosing(initial: [ids[current]], count: count) }
    return Choosing(initial: zip(ids, items).filter { $1.isOn }.map(\.0), count: count)
  }

  /// The property names of the editable fields, derived from their labels.
  var fieldNames: [String] {
    guard case .form(let fields) = kind else { return takesValue ? ["value"] : [] }
    var taken: Set<String> = []
    return fields.filter(\.isEditable).enumerated().map { index, field in
      let word = DialogName.words(of: field.label).filter { $0.utf8.allSatisfy { $0 < 0x80 } }.joined(separator: "-")
      let name = word.isEmpty || taken.contains(word) ? "field-\(index + 1)" : word
      taken.insert(name)
      return name
    }
  }

  func addFields(to screen: inout Screen) {
    var form = Form([])
    // No field is required, because an empty line is a valid answer.
    func add(_ name: String, _ schema: Schema, _ value: JSONValue?) {
      form.fields.append(Field(name, schema).optional)
      screen.values[name] = value
    }
    switch kind {
    case .entry(let initial, let isHidden):
      add(
        "value", Self.schema(isHidden ? "Password" : "Answer", isHidden: isHidden, hasValue: !initial.isEmpty),
        isHidden ? nil : .string(DialogText.field(initial)))
    case .editor(let bytes):
      add("value", .multilineText(title: Text(verbatim: "Text")), .string(DialogText.editable(bytes)))
    case .range(let range, let initial):
      let bounds = Int64(range.lowerBound)...Int64(range.upperBound)
      add("value", .integer(title: Text(verbatim: "Number"), range: bounds), .integer(Int64(initial)))
    case .form(let fields):
      for (name, field) in zip(fieldNames, fields.filter(\.isEditable)) {
        var rest = DialogText.line(field.label).utf8[...]
        while let last = rest.last, ": ".utf8.contains(last) { rest.removeLast() }
        let label = String(Substring(rest))
        var schema = Self.schema(label.isEmpty ? name : label, isHidden: field.isHidden, hasValue: !field.value.isEmpty)
        if !field.help.isEmpty { schema.summary = DialogText.line(field.help) }
        add(name, schema, field.isHidden ? nil : .string(DialogText.field(field.value)))
      }
    default: break
    }
    screen.form = form
  }

  private static func schema(_ title: String, isHidden: Bool, hasValue: Bool) -> Schema {
    let hint = isHidden && hasValue ? Text(verbatim: "The program has filled it in. Leave it empty to keep that.") : nil
    return Schema(.text(Schema.TextRule()), title: Text(verbatim: title), summary: hint, isSecret: isHidden)
  }
}
