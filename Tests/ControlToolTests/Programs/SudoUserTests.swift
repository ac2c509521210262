import Testing

@testable import ControlTool

@Suite("Whose bus it is", .timeLimit(.minutes(1)))
struct SudoUserTests {
  @Test(
    "The socket of a bus is in its address",
    arguments: [
      ("unix:path=/run/user/1/bus", "/run/user/1/bus"), ("unix:guid=1,path=/x", "/x"), ("unix:path=/x,guid=1", "/x"),
      ("unix:abstract=/x", nil), ("tcp:host=x,path=/x", nil), ("", nil),
    ])
  func sockets(address: String, path: String?) { #expect(SudoUser.socket(in: address) == path) }
}
