import CoordinatorBus
import CoordinatorKit
import TestBus
import Testing

@testable import CoordinatorTerminal

@Suite("Random screens, sizes and keys", .timeLimit(.minutes(5)))
struct RandomTests {
  private static let keys: [Key] = [
    .character("a"), .character("水"), .character(" "), .character("q"), .character("?"), .character("1"), .character("e\u{301}"),
    .control("a"), .control("k"), .control("u"), .control("w"), .control("x"), .control("y"), .control("z"),
    .paste("a\nb\u{1B}日"),
    .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .wordLeft,
    .wordRight, .selectLeft, .selectRight, .selectHome, .selectEnd, .altLeft, .help, .wheelUp, .wheelDown,
  ]

  @Test("Every screen can be drawn in any size and stays within it", arguments: [true, false])
  func everyScreenFitsEverySize(isUnicode: Bool) {
    let modal = Samples.presented(Samples.everything, id: 3, layer: 2)
    for screen in Samples.all {
      for window in [
        Samples.window(1, Samples.presented(screen)),
        Samples.window(1, Samples.presented(screen), Samples.presented(Samples.kanji, id: 2, layer: 1), modal),
        Samples.window(1, modal, Samples.presented(screen, id: 9, layer: 3)),
      ] {
        var display = Display.showing(window, isUnicode: isUnicode)
        for columns in [0, 1, 2, 3, 8, 23, 24, 40, 80, 200] {
          for rows in Array(0...12) + [16, 24, 60] {
            let frame = display.draw(in: Size(columns: columns, rows: rows))
            #expect(frame.cells.count == columns * rows)
            #expect(frame.lines.allSatisfy { $0.columns <= columns })
            if let cursor = frame.cursor { #expect(cursor.column < columns && cursor.row < rows) }
          }
        }
      }
    }
  }

  @Test("Any keys can be pressed in any order and any size, and each frame has that size", arguments: 0..<8)
  func anyKeysCanBePressedInAnyOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for screen in Samples.all {
      var display = Display.showing(screen)
      for step in 0..<300 {
        let size = Size(columns: .random(in: 1...100, using: &generator), rows: .random(in: 1...30, using: &generator))
        if step.isMultiple(of: 10) {
          let frame = display.draw(in: size)
          #expect(frame.cells.count == size.columns * size.rows)
          #expect(frame.lines.allSatisfy { $0.columns <= size.columns })
          if let cursor = frame.cursor { #expect(cursor.column < size.columns && cursor.row < size.rows) }
        }
        let click = Key.click(
          Position(column: .random(in: -1...100, using: &generator), row: .random(in: -1...30, using: &generator)))
        let effects = display.handle(.key(Self.keys.randomElement(using: &generator) ?? click))
        _ = display.handle(.key(click))
        if effects.exit != nil { display = Display.showing(screen) }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: _ = display.handle(.refused(.refused(.denied(message: "no"))))
        case 1: _ = display.handle(.refused(.refused(.invalidPayload(["name": "no", "username": "no", "x": "no"]))))
        case 2:
          let other = Samples.all.randomElement(using: &generator) ?? screen
          _ = display.handle(.event(.window(Samples.window(UInt64(step + 2), Samples.presented(other)))))
        case 3: _ = display.handle(.accepted(revision: UInt64(step)))
        default: break
        }
      }
    }
  }

  @Test("A list of ten thousand rows can be filtered and scrolled")
  func listMayHaveTenThousandRows() {
    let items = (0..<10_000).map { Item("\($0)", Text(verbatim: "Row number \($0)"), subtitle: "a few words about it") }
    var display = Display.showing(Screen("rows", kind: .list, title: "Rows", items: items))
    display.type("number 99")
    #expect(display.text().contains("280 of 10,000"))
    display.press(.end)
    #expect(display.text().contains("❯ Row number 9899"))
  }
}
