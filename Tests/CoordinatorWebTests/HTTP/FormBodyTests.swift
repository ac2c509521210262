import Testing

@testable import CoordinatorWeb

struct FormBodyTests {
  @Test("A form's names and values are decoded in order")
  func decoding() throws {
    let body = try FormBody(decoding: Array("a=1&b=%26%3D+x&a=2&c&=d&e=f=g".utf8))
    #expect(body["a"] == "1")
    #expect(body.all("a") == ["1", "2"])
    #expect(body["b"] == "&= x")
    #expect(body["c"] == "")
    #expect(body[""] == "d")
    #expect(body["e"] == "f=g")
    #expect(body["z"] == nil)
  }

  @Test("What is not encoded properly is refused", arguments: ["a=%", "a=%2", "a=%zz", "%ff=1", "a=%c3%28"])
  func malformed(text: String) {
    #expect(throws: RequestFault.self) { try FormBody(decoding: Array(text.utf8)) }
  }

  @Test("Too many values are refused")
  func many() {
    let text = String(repeating: "a=1&", count: FormBody.maximumCount + 1)
    #expect(throws: RequestFault(.contentTooLarge, "too many values were sent")) { try FormBody(decoding: Array(text.utf8)) }
  }
}
