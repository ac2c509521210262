import Testing

@testable import CoordinatorWeb

@Suite("Form bodies", .timeLimit(.minutes(5)))
struct FormBodyTests {
  @Test("The names and values of a form are decoded in order")
  func formBodyIsDecodedInOrder() throws {
    let body = try FormBody(decoding: Array("a=1&b=%26%3D+x&a=2&c&=d&e=f=g".utf8))
    #expect(body["a"] == "1")
    #expect(body.all("a") == ["1", "2"])
    #expect(body["b"] == "&= x")
    #expect(body["c"] == "")
    #expect(body[""] == "d")
    #expect(body["e"] == "f=g")
    #expect(body["z"] == nil)
  }

  @Test("A form body that is not encoded correctly is refused", arguments: ["a=%", "a=%2", "a=%zz", "%ff=1", "a=%c3%28"])
  func malformedFormBodyIsRefused(text: String) {
    #expect(throws: RequestFault.self) { try FormBody(decoding: Array(text.utf8)) }
  }

  @Test("A form body with too many values is refused")
  func formBodyWithTooManyValuesIsRefused() {
    let text = String(repeating: "a=1&", count: FormBody.maximumCount + 1)
    #expect(throws: RequestFault(.contentTooLarge, "too many values were sent")) { try FormBody(decoding: Array(text.utf8)) }
  }
}
