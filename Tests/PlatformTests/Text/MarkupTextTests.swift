import Glibc
import TestBus
import Testing

@testable import Platform

/// Text that Python's parsers of HTML and XML, and its URL decoder, read.
@Suite("Text within markup and links", .timeLimit(.minutes(5)))
struct MarkupTextTests {
  /// Runs a Python program on texts, which are separated by NULs.
  private static func python(_ program: String, _ texts: [String]) throws -> [[UInt8]] {
    let file = try #require(TemporaryFile(texts.joined(separator: "\0")))
    let done = try FinishedProcess("/usr/bin/env", ["env", "python3", "-c", program, file.path])
    #expect(done.status == 0, "\(String(decoding: done.errors, as: UTF8.self))")
    return done.output.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  }

  private static let texts = HostileText.combinations.filter { !$0.utf8.contains(0) }

  @Test("HTML that was escaped is read as the same text, in content and in attributes")
  func htmlComesBack() throws {
    let program = """
      import html.parser, sys
      class Reader(html.parser.HTMLParser):
          def __init__(self): super().__init__(convert_charrefs=True); self.tags, self.values, self.text = [], [], ""
          def handle_starttag(self, tag, attributes): self.tags.append(tag); self.values += [value for _, value in attributes]
          def handle_data(self, data): self.text += data
      def read(text):
          reader = Reader(); reader.feed(text); reader.close()
          assert reader.tags == ["p"], reader.tags
          assert reader.values == [reader.text], (reader.values, reader.text)
          return reader.text
      sys.stdout.buffer.write("\\0".join(map(read, open(sys.argv[1], newline="").read().split("\\0"))).encode())
      """
    // Python follows the standard, which drops most references to control characters.
    let texts = Self.texts.filter {
      $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) || $0 == "\n" || $0 == "\t" }
    }
    let documents = texts.map { "<p title=\"\(MarkupText.html($0))\">\(MarkupText.html($0))</p>" }
    #expect(try Self.python(program, documents) == texts.map { Array($0.utf8) })
    #expect(!MarkupText.html("a\u{1}<b>\0").utf8.contains(UInt8(ascii: "<")))
  }

  @Test("XML that was escaped is read as the same text")
  func xmlComesBack() throws {
    let program = """
      import sys, xml.etree.ElementTree
      read = lambda text: xml.etree.ElementTree.fromstring(text).get("name")
      sys.stdout.buffer.write("\\0".join(map(read, open(sys.argv[1], newline="").read().split("\\0"))).encode())
      """
    let texts = Self.texts.filter { $0.unicodeScalars.allSatisfy(MarkupText.isXMLCharacter) }
    #expect(try Self.python(program, texts.map { "<arg name=\"\(MarkupText.xml($0))\"/>" }) == texts.map { Array($0.utf8) })
    #expect(MarkupText.xml("\u{1}\u{FFFE}") == "\u{FFFD}\u{FFFD}")
  }

  @Test("A part of a link is decoded to the same text")
  func linksComeBack() throws {
    let program = """
      import sys, urllib.parse
      read = lambda text: urllib.parse.unquote_to_bytes(text)
      sys.stdout.buffer.write(b"\\0".join(map(read, open(sys.argv[1]).read().split("\\0"))))
      """
    #expect(try Self.python(program, Self.texts.map(PercentEncoding.encode)) == Self.texts.map { Array($0.utf8) })
  }
}

/// A file that is deleted with this value.
private final class TemporaryFile {
  let path: String

  init?(_ text: String) {
    var template = Array("/tmp/markup-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    close(descriptor)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    do {
      try FileContent.write(Array(text.utf8), to: path, mode: 0o600, isNew: false)
    } catch {
      return nil
    }
  }

  deinit { unlink(path) }
}
