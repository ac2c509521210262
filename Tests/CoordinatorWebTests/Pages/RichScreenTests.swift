import CoordinatorKit
import QRCodes
import Testing

@testable import CoordinatorWeb

@Suite("Steps, structured texts, pictures and reviews on a page", .timeLimit(.minutes(5)))
struct RichScreenTests {
  @Test("A step is a line above the title, describes it, and is in the title of the page")
  func stepIsAboveTheTitle() {
    let page = Samples.page(Screen.message("m", title: "Network").step(3, of: 6))
    #expect(page.contains("<p id=\"step\" class=\"step\" lang=\"en\">Step 3 of 6</p><p id=\"steps\""))
    #expect(page.contains("aria-describedby=\"step\">Network</h1>"))
    #expect(page.contains("<title>Network – Step 3 of 6</title>"))
    #expect(Samples.page(Screen.message("m", title: "M").step(2)).contains(">Step 2<"))
    #expect(!Samples.page(.message("m", title: "M")).contains("id=\"step\""))
  }

  @Test("A structured text becomes strong text, code, lists, links and verbatim lines")
  func structureIsDrawn() {
    let text = Markup(
      "Be **bold**, run `make`, read [this](https://example.org/?a&b), [write](mailto:a@example.org).\n\n- One\n- Two\n\n```\na  b\n```"
    )
    let page = Samples.page(Screen.message("m", title: "M").with(text))
    #expect(page.contains("<strong>bold</strong>"))
    #expect(page.contains("<code>make</code>"))
    #expect(
      page.contains(
        "<a href=\"https://example.org/?a&amp;b\" rel=\"noopener noreferrer\" target=\"_blank\">this"
          + "<span class=\"aside\"> (opens in a new tab)</span></a>"))
    #expect(page.contains("<a href=\"mailto:a@example.org\" rel=\"noopener noreferrer\">write</a>"))
    #expect(
      page.contains(
        "<ul class=\"body bullets\"><li><span dir=\"auto\">One</span></li><li><span dir=\"auto\">Two</span></li></ul>"))
    #expect(page.contains("<pre class=\"verbatim\" tabindex=\"0\" dir=\"auto\">a  b</pre>"))
    // The text without its structure is not shown in addition.
    #expect(page.ranges(of: "bold").count == 1)
  }

  @Test("A structured text cannot inject markup, and an address that could run a script is no link")
  func structureCannotInject() {
    let hostile = Samples.hostile
    let blocks = Markup.Block.Kind.allCases.map { kind in
      Markup.Block(
        kind,
        [
          Markup.Span(hostile, .code), Markup.Span(hostile, link: "javascript:alert(1)"),
          Markup.Span("x", link: "https://e.org/\"><script>"), Markup.Span("y", link: "data:text/html,<script>"),
        ])
    }
    let page = Samples.page(Screen.message("m", title: "M").with(Markup(blocks: blocks)))
    #expect(page.ranges(of: "<script").count == 2)
    #expect(!page.contains("<img") && !page.contains("href=\"javascript") && !page.contains("href=\"data"))
    #expect(page.contains("href=\"https://e.org/&quot;&gt;&lt;script&gt;\""))
  }

  @Test("An image is part of the page, with its description, and the page may load no other")
  func imageIsPartOfThePage() throws {
    let image = try #require(Picture.Image([0xff, 0xd8, 0xff, 0x00]))
    let page = Samples.page(Screen.message("m", title: "M").with(.image(image, description: "A \"cat\"")))
    #expect(page.contains("<img src=\"data:image/jpeg;base64,/9j/AA==\" alt=\"A &quot;cat&quot;\">"))
    #expect(!page.contains("[A "))
    let head = String(decoding: HTTPResponse(.ok).head, as: UTF8.self)
    #expect(head.contains("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"))
  }

  @Test("A QR code is drawn with all its modules and a margin, and its text is beside it")
  func codeIsDrawn() throws {
    let text = "https://example.org/?a=1&b=2"
    let code = try #require(QRCode(text))
    let page = Samples.page(Screen.message("m", title: "M").with(.code(text)))
    #expect(page.contains("<svg viewBox=\"0 0 \(code.size + 8) \(code.size + 8)\" role=\"img\""))
    #expect(page.contains("aria-label=\"QR code\" aria-describedby=\"code-text\""))
    #expect(page.contains(">https://example.org/?a=1&amp;b=2</figcaption>"))
    var modules: Set<[Int]> = []
    let path = try #require(page.split(separator: " d=\"").last?.split(separator: "\"").first)
    for part in path.split(separator: "M") {
      let numbers = part.split { !$0.isNumber }.compactMap { Int($0) }
      for offset in 0..<numbers[2] { modules.insert([numbers[1] - 4, numbers[0] - 4 + offset]) }
    }
    let expected = (0..<code.size).flatMap { row in (0..<code.size).filter { code[row, $0] }.map { [row, $0] } }
    #expect(modules == Set(expected))
    let long = Samples.page(Screen.message("m", title: "M").with(.code(String(repeating: "x", count: 5000))))
    #expect(!long.contains("<svg") && long.contains("xxx</figcaption>"))
  }

  private static func review(_ progress: CoordinatorKit.Progress? = nil) -> Screen {
    Screen(
      "check", kind: .message, title: "Check", actions: [.primary("apply", "Apply")], progress: progress
    ).reviewing([ReviewRow("Name", "Ada\nLovelace", on: ScreenID(4)), ReviewRow("Made", "by hand")])
  }

  @Test("Answers under review are a list, each with a button that names what it changes")
  func reviewIsAList() {
    let page = Samples.page(Self.review())
    #expect(page.contains("<dt dir=\"auto\">Name</dt><dd class=\"answer\" dir=\"auto\">Ada\nLovelace</dd>"))
    #expect(page.contains("value=\"4\"><span lang=\"en\">Change</span><span class=\"aside\" dir=\"auto\"> Name</span></button>"))
    #expect(page.ranges(of: "name=\"change.").count == 1)
    #expect(page.ranges(of: "Lovelace").count == 1)
    // While work uses the answers, they are only read.
    #expect(!Samples.page(Self.review(.init(text: "Applying"))).contains("Change<"))
  }

  @Test("Rule 6: Change sends the screen of an answer, and counts if what is under review is the same")
  func changeSendsTheScreen() throws {
    let screen = Self.review()
    let body: FormBody = [SentChoice.name(of: screen.review[0], on: AnswerBasis(of: screen)): "4"]
    let choice = SentChoice(body)
    let event = choice.event(of: screen, FormAnswer(body, fields: []))
    #expect(event.name == "change" && event.payload == ["id": 4])
    #expect(choice.holds(on: screen))
    #expect(!choice.holds(on: screen.reviewing([ReviewRow("Name", "Grace", on: ScreenID(4))])))
    #expect(!choice.holds(on: screen.reviewing([])))
  }
}
