import CoordinatorKit
import RendererKit

/// Draws the fields of a form.
extension ScreenView {
  mutating func appendFields(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    set(textColumns: FieldBlock.textColumns(drawing))
    for index in form.shown {
      let block = FieldBlock(self, index, drawing)
      page.append(block.lines, spaced: spaced)
      let shift = page.middle.count - block.lines.count
      if block.isFocused {
        page.focus = block.focus.lowerBound + shift..<block.focus.upperBound + shift
        page.context = shift..<page.middle.count
        page.cursor = block.cursor.map { Position(column: $0.column, row: $0.row + shift) }
        page.isTyping = block.isTyping
      }
    }
  }
}

/// The lines of a field.
private struct FieldBlock {
  private(set) var lines: [Line] = []
  /// The lines that must be visible while the field is filled in.
  private(set) var focus = 0..<1
  private(set) var cursor: Position?
  /// Whether text can be typed at the cursor.
  private(set) var isTyping = false
  let isFocused: Bool
  private let index: Int
  private let editor: FieldEditor
  private let isFillable: Bool
  private let drawing: Drawing
  /// The left edge of every line.
  private let lead: Span

  init(_ view: ScreenView, _ index: Int, _ drawing: Drawing) {
    self.index = index
    self.drawing = drawing
    editor = view.form.fields[index]
    isFillable = view.screen.isFillable
    isFocused = drawing.isActive && view.stop == .field(index)
    lead = isFocused ? Span(drawing.symbols.bar + " ", drawing.focused) : Span("  ")
    switch editor.content {
    case .text(let text): append(text)
    case .flag(let flag): append(flag)
    case .choice(let picker): append(picker)
    }
    // The flow's message about an answer no longer applies once the answer has been corrected.
    let isCorrected = if editor.isTouched, case .wrong = editor.answer { false } else { editor.isTouched }
    for message in view.screen.messages
    where message.field == editor.field.name && !(isCorrected && message.level == .error) {
      lines += drawing.message(message.level, message.text, lead: lead)
    }
    if let mark = view.form.mark(of: editor) {
      lines += mark.text.wrapped(to: drawing.columns - lead.text.columns).map { Line([lead, Span($0, .quiet)]) }
    }
    if let reason = view.form.reasons[editor.field.name] { lines += drawing.message(.error, reason, lead: lead) }
    switch editor.content {
    case .choice: break
    case .text(let text) where text.hasLines: break
    case .text, .flag: focus = 0..<lines.count
    }
  }

  /// Returns the width of a text field.
  static func textColumns(_ drawing: Drawing) -> Int { max(min(drawing.columns - 3, 50), 1) }

  private mutating func append(_ text: TextEditor) {
    appendLabel()
    if case .list = editor.field.schema.rule, !text.hasLines {
      lines += Text("Separate multiple values with commas.").string.wrapped(to: drawing.columns - lead.text.columns).map {
        Line([lead, Span($0, .quiet)])
      }
    }
    guard !text.hasLines else { return appendRows(text) }
    let room = Self.textColumns(drawing)
    let window = text.window(columns: room, mask: drawing.symbols.dot)
    guard isFillable else {
      lines.append(Line([lead, Span(window.before + window.after, .quiet)]))
      return
    }
    let used = (window.before + window.selected + window.after).columns
    let target = Target.field(index)
    let look = Look(.underlined)
    if isFocused {
      cursor = Position(column: lead.text.columns + window.cursor, row: lines.count)
      isTyping = true
    }
    lines.append(
      Line([
        lead, Span(window.before, look, target: target), Span(window.selected, Look(.reversed), target: target),
        Span(window.after, look, target: target),
        Span(blanks(room - used), isFocused ? look : look.with(.dim), target: target),
      ]))
  }

  /// Returns the empty part of a field.
  private func blanks(_ count: Int) -> String { String(repeating: drawing.symbols.blank, count: max(count, 0)) }

  /// Appends a text with several rows: at least ``fewestRows``, and as many as it needs.
  private mutating func appendRows(_ text: TextEditor) {
    let room = Self.textColumns(drawing)
    let rows = text.rows(columns: room - 1)
    let place = text.cursorPlace(in: rows)
    let first = lines.count
    for row in rows.indices { appendRow(text, rows[row], room) }
    for _ in rows.count..<max(Self.fewestRows, rows.count) {
      appendRow(text, text.characters.count..<text.characters.count, room)
    }
    focus = first + place.row..<first + place.row + 1
    guard isFocused else { return }
    cursor = Position(column: lead.text.columns + min(place.column, room - 1), row: first + place.row)
    isTyping = true
  }

  private mutating func appendRow(_ text: TextEditor, _ row: Range<Int>, _ room: Int) {
    let look = isFillable ? Look(.underlined) : .quiet
    let target = isFillable ? Target.field(index) : nil
    let selected = isFillable ? text.selection.clamped(to: row) : row.lowerBound..<row.lowerBound
    func span(_ part: Range<Int>, _ look: Look) -> Span { Span(String(text.characters[part]), look, target: target) }
    // Trailing spaces that exceed the width are not drawn.
    let shown = String(text.characters[row]).columns > room ? row.lowerBound..<row.lowerBound + fitting(text, row, room) : row
    let chosen = selected.clamped(to: shown)
    let used = String(text.characters[shown]).columns
    let rest = Span(isFillable ? blanks(room - used) : "", isFocused ? look : look.with(.dim), target: target)
    lines.append(
      Line([
        lead, span(shown.lowerBound..<chosen.lowerBound, look), span(chosen, Look(.reversed)),
        span(chosen.upperBound..<shown.upperBound, look), rest,
      ]))
  }

  private func fitting(_ text: TextEditor, _ row: Range<Int>, _ room: Int) -> Int {
    String(text.characters[row]).prefix(columns: room).count
  }

  /// The minimum number of rows of a text.
  private static let fewestRows = 3

  private mutating func append(_ flag: Bool?) {
    let look = isFocused ? drawing.focused : isFillable ? .plain : .quiet
    if isFocused { cursor = Position(column: lead.text.columns, row: lines.count) }
    let box = (flag ?? false) ? drawing.symbols.check.on : drawing.symbols.check.off
    append(
      [Span(editor.title, look, target: .field(index))] + optionalNote,
      after: [lead, Span(box + " ", look, target: .field(index))])
    appendSummary()
  }

  /// Appends text behind a mark, in as many lines as it needs.
  private mutating func append(_ text: [Span], after marks: [Span]) {
    let indent = marks.dropFirst().reduce(0) { $0 + $1.text.columns }
    for (row, line) in text.wrapped(to: drawing.columns - lead.text.columns - indent).enumerated() {
      lines.append(Line((row == 0 ? marks : [lead, Span(String(repeating: " ", count: indent))]) + line.spans))
    }
  }

  /// Appends many choices: the picked ones, or while the field has the focus, a filter and the matching choices.
  private mutating func appendMany(_ picker: ChoicePicker) {
    let marks = picker.isMultiple ? drawing.symbols.check : drawing.symbols.radio
    let room = max(drawing.columns - lead.text.columns - 2, 1)
    guard isFocused else {
      let titles = picker.picked.sorted().map { FieldText.title(of: picker.choices[$0]).printable }.joined(separator: ", ")
      let text = titles.isEmpty ? drawing.symbols.nothing : titles
      let shown = text.truncated(to: room, ellipsis: drawing.symbols.ellipsis)
      lines.append(
        Line([lead, Span(shown, titles.isEmpty || !isFillable ? .quiet : .plain, target: .field(index))]))
      return
    }
    let line = FilterLine(picker.filter, picker.found, drawing, columns: room + 2)
    cursor = Position(column: lead.text.columns + line.cursor, row: lines.count)
    isTyping = picker.isFiltering || picker.found.rows.isEmpty
    lines.append(line.line.indented(lead))
    let first = lines.count
    let place = picker.found.rows.firstIndex(of: picker.cursor) ?? 0
    let top = max(min(place - ChoicePicker.mostShown / 2, picker.found.rows.count - ChoicePicker.mostShown), 0)
    for choice in picker.found.rows.dropFirst(top).prefix(ChoicePicker.mostShown) {
      let isHere = picker.cursor == choice
      if isHere {
        focus = lines.count..<lines.count + 1
        if !isTyping { cursor = Position(column: lead.text.columns, row: lines.count) }
      }
      let isPicked = picker.picked.contains(choice)
      let look: Look = isHere ? drawing.focused : isPicked ? .strong : .plain
      let pointer = isHere ? drawing.symbols.pointer + " " : String(repeating: " ", count: drawing.symbols.pointer.columns + 1)
      let sign = (isPicked ? marks.on : marks.off) + " "
      let title = FieldText.title(of: picker.choices[choice]).printable
      let ranges = picker.filter.isEmpty ? [] : picker.found.marks(title: title).title
      let shown = title.truncated(
        to: max(room - pointer.columns - sign.columns, 1), ellipsis: drawing.symbols.ellipsis)
      let target = Target.choice(field: index, choice)
      lines.append(
        Line(
          [lead, Span(pointer, drawing.focused), Span(sign, look, target: target)]
            + shown.spans(marking: ranges, look, drawing.mark(on: look), target)))
    }
    if picker.found.rows.isEmpty {
      lines += ScreenView.nothingMatches.wrapped(to: room).map { Line([lead, Span($0, .quiet)]) }
    }
    // The lines below must not move while the filter changes.
    while lines.count < first + ChoicePicker.mostShown { lines.append(Line([lead])) }
    appendWhole(picker, room: room - drawing.symbols.pointer.columns - marks.on.columns - 2)
  }

  /// Appends the title of the choice at the cursor, in as many lines as the longest title needs, if not every title fits.
  private mutating func appendWhole(_ picker: ChoicePicker, room: Int) {
    func rows(_ choice: Schema.Choice) -> [String] {
      let title = FieldText.title(of: choice)
      return title.columns > room ? title.wrapped(to: drawing.columns - lead.text.columns) : []
    }
    let most = picker.choices.map { rows($0).count }.max() ?? 0
    let whole = picker.found.rows.isEmpty ? [] : rows(picker.choices[picker.cursor])
    lines += whole.map { Line([lead, Span($0, .quiet)]) } + Array(repeating: Line([lead]), count: most - whole.count)
  }

  private mutating func append(_ picker: ChoicePicker) {
    appendLabel()
    if picker.hasFilter { return appendMany(picker) }
    let marks = picker.isMultiple ? drawing.symbols.check : drawing.symbols.radio
    let blank = String(repeating: " ", count: drawing.symbols.pointer.columns + 1)
    for (place, choice) in picker.choices.enumerated() {
      let isHere = isFocused && picker.cursor == place
      let isPicked = picker.picked.contains(place)
      let look: Look = isHere ? drawing.focused : isPicked ? .strong : isFillable ? .plain : .quiet
      let target = Target.choice(field: index, place)
      let first = lines.count
      if picker.cursor == place, isFocused { cursor = Position(column: lead.text.columns, row: first) }
      append(
        [Span(FieldText.title(of: choice), look, target: target)],
        after: [
          lead, Span(isHere ? drawing.symbols.pointer + " " : blank, drawing.focused),
          Span((isPicked ? marks.on : marks.off) + " ", look, target: target),
        ])
      if picker.cursor == place { focus = first..<lines.count }
      appendSummary(of: choice, indent: lead.text.columns + blank.count + marks.on.columns + 1)
    }
  }

  private mutating func appendSummary(of choice: Schema.Choice, indent: Int) {
    guard let summary = FieldText.summary(of: choice) else { return }
    let blank = Span(String(repeating: " ", count: max(indent - lead.text.columns, 0)))
    lines += summary.wrapped(to: drawing.columns - indent).map { Line([lead, blank, Span($0, .quiet)]) }
  }

  private mutating func appendLabel() {
    lines.append(Line([lead, Span(editor.title, isFocused ? drawing.focused : .strong, target: .field(index))] + optionalNote))
    appendSummary()
  }

  private mutating func appendSummary() {
    for text in FieldText.help(for: editor.field.schema) {
      lines += text.wrapped(to: drawing.columns - lead.text.columns).map { Line([lead, Span($0, .quiet)]) }
    }
  }

  private var optionalNote: [Span] { editor.field.isRequiredIfShown ? [] : [Span("  " + Text("optional").string, .quiet)] }
}
