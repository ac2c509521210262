import CoordinatorBus
import Testing

@testable import RendererKit

@Suite("The name of a kiosk", .timeLimit(.minutes(1)))
struct KioskNameTests {
  @Test("Trees are numbered after the kiosk, and a tree of another kiosk is none of it")
  func tokens() throws {
    let kiosk = KioskName(flow: "check-in", place: "web")
    #expect(kiosk.token(7) == "kiosk_check_in_web_7")
    #expect(kiosk.number(in: "kiosk_check_in_web_7") == 7)
    for other in [
      "kiosk_check_in_web", "kiosk_check_in_web_", "kiosk_check_in_web_7b", "kiosk_check_in_web_b_7", "kiosk_check_in_tty1_7",
      "kiosk_check_in_web_99999999999999999999", "kiosk_check_in_web_\(UInt64.max)", "kiosk_check_in_web_٣",
    ] {
      #expect(kiosk.number(in: other) == nil, "\(other)")
    }
    #expect(kiosk.token(after: try Contract.flowPath(root: "kiosk_check_in_web_7")) == "kiosk_check_in_web_8")
    #expect(kiosk.token(after: try Contract.flowPath(root: "pets_3")) == "kiosk_check_in_web_1")
  }

  @Test(
    "Every token is at most 64 characters that a token may contain",
    arguments: ["ありがとう", String(repeating: "x", count: 300), ""])
  func lengths(flow: String) {
    let token = KioskName(flow: flow, place: "tty/é" + flow).token(.max)
    #expect(token.utf8.count <= 64)
    #expect(
      token.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && (scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      })
  }

  @Test("A name that cannot be part of a token is refused", arguments: ["", "a b", "é", String(repeating: "x", count: 44)])
  func givenNames(name: String) throws {
    let policy = KioskPolicy(isLocked: true, restartTime: nil, idleTime: nil)
    #expect(KioskName(name) == nil)
    #expect(throws: ToolFailure.self) { try KioskName(policy, token: name, flow: "pets", place: "web") }
    #expect(try KioskName(.none, token: name, flow: "pets", place: "web") == nil)
    #expect(try KioskName(policy, token: "desk_1", flow: "pets", place: "web")?.token(2) == "desk_1_2")
  }
}
