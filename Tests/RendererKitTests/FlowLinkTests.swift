import Testing

@testable import RendererKit

@Suite("Links with the scheme 'coordinator:'", .timeLimit(.minutes(5)))
struct FlowLinkTests {
  private func input(_ link: String) throws -> [String: String] {
    var result: [String: String] = [:]
    for assignment in try FlowLink(link).input {
      if case .text(let text) = assignment.source { result[assignment.key] = text }
    }
    return result
  }

  @Test("A link names a flow and its input, percent-encoded or not")
  func linkNamesAFlowAndItsInput() throws {
    #expect(try FlowLink("coordinator:pets") == FlowLink("COORDINATOR:pets?"))
    #expect(try FlowLink("coordinator:kanji%2Ddetail?kanji=1").flow == "kanji-detail")
    for link in ["coordinator:kanji-detail?kanji=水", "coordinator:kanji-detail?kanji=%E6%B0%B4"] {
      #expect(try input(link) == ["kanji": "水"])
    }
    #expect(try input("coordinator:a?x=1+1%3D2&y=a%26b=c?/:@&z=") == ["x": "1+1=2", "y": "a&b=c?/:@", "z": ""])
  }

  @Test("A value in a link is always a string, never a file, JSON, or an option")
  func linkValuesAreAlwaysStrings() throws {
    #expect(try input("coordinator:a?x=@/etc/passwd&y:=1&--token=z") == ["x": "@/etc/passwd", "y:": "1", "--token": "z"])
  }

  @Test(
    "A malformed link is refused with its reason",
    arguments: [
      ("kanji-detail?kanji=1", .otherScheme), ("http:pets", .otherScheme), ("", .otherScheme), ("coordinator", .otherScheme),
      ("coordinator:", .noFlow), ("coordinator:?a=1", .noFlow), ("coordinator://pets", .path), ("coordinator:a/b", .path),
      ("coordinator:pets#top", .character("#")), ("coordinator:pets?a=b c", .character(" ")),
      ("coordinator:pets?a=\u{1B}", .character("\u{1B}")), ("coordinator:pets?a=`id`", .character("`")),
      ("coordinator:pets?a", .noKey("a")), ("coordinator:pets?=1", .noKey("=1")), ("coordinator:pets?a=1&", .noKey("")),
      ("coordinator:pets?a=%4", .encoding("%4")), ("coordinator:pets?a=%zz", .encoding("%zz")),
      ("coordinator:pets?a=%FF", .encoding("%FF")), ("coordinator:pets?a=%00", .encoding("%00")),
      ("coordinator:%1B?a=1", .encoding("%1B")), ("coordinator:" + String(repeating: "a", count: 8192), .tooLong),
    ] as [(String, FlowLink.Malformed)])
  func malformedLinkIsRefusedWithItsReason(link: String, reason: FlowLink.Malformed) {
    #expect(throws: reason) { try FlowLink(link) }
  }
}
