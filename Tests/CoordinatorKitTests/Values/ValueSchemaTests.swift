import Testing

@testable import CoordinatorKit

@Suite("The schema of a Swift type", .timeLimit(.minutes(5)))
struct ValueSchemaTests {
  private enum Size: String, Codable, CaseIterable { case small, large }
  private enum Level: Int, Codable, CaseIterable { case low = 1, high = 2 }
  private enum Open: String, Codable { case only }
  private enum Event: Codable { case chosen(String), nothing }
  private struct Part: Codable { var name: String }
  private struct Whole: Codable {
    var title: String
    var size: Size
    var level: Level
    var count: Int?
    var share: Double
    var byte: UInt8
    var isDone: Bool
    var parts: [Part]
    var basket: [String: Int]
  }
  private struct WithGap: Codable {
    var before: Int
    var gap: Open
    var after: Int
  }
  private final class Chain: Codable { var next: Chain? }

  @Test("A struct is an object of its stored properties, and what is optional is not required")
  func structIsAnObject() throws {
    let schema = ValueSchema.of(Whole.self)
    #expect(schema["type"] == "object")
    let properties = try #require(schema["properties"])
    #expect(properties["title"] == ["type": "string"])
    #expect(properties["size"] == ["type": "string", "enum": ["small", "large"]])
    #expect(properties["level"] == ["type": "integer", "enum": [1, 2]])
    #expect(properties["count"] == ["type": "integer"])
    #expect(properties["share"] == ["type": "number"])
    #expect(properties["byte"] == ["type": "integer"])
    #expect(properties["isDone"] == ["type": "boolean"])
    #expect(
      properties["parts"]
        == [
          "type": "array",
          "items": ["type": "object", "properties": ["name": ["type": "string"]], "required": ["name"]],
        ])
    #expect(properties["basket"] == ["type": "object"])
    #expect(schema["required"] == ["title", "size", "level", "share", "byte", "isDone", "parts", "basket"])
  }

  @Test("A type that takes no sample is described as far as it is known, and nothing is said to be required")
  func unknownTypesAreLeftOpen() {
    #expect(ValueSchema.of(Event.self) == ["type": "object"])
    #expect(
      ValueSchema.of(WithGap.self)
        == ["type": "object", "properties": ["before": ["type": "integer"], "gap": ["type": "string"]]])
  }

  @Test("A type without properties is an object, and a recursive one comes to an end")
  func recursionEnds() {
    #expect(ValueSchema.of(NoResult.self) == ["type": "object"])
    #expect(ValueSchema.of(Chain.self)["type"] == "object")
  }

  @Test("A catalogue tells what its flows hand out; a flow that tells its parent nothing has no schema for it")
  func catalogueTellsSchemas() throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Teller() }
    try catalogue.add { Listener() }
    let teller = try #require(catalogue.schemas(of: "teller"))
    #expect(teller.result == ["type": "object", "properties": ["count": ["type": "integer"]], "required": ["count"]])
    #expect(teller.output == ["type": "object", "properties": ["text": ["type": "string"]], "required": ["text"]])
    #expect(catalogue.schemas(of: "listener") == FlowSchemas(result: ["type": "object"], output: nil))
    #expect(catalogue.schemas(of: "nowhere") == nil)
  }
}
