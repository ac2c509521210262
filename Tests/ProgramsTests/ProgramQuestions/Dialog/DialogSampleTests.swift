import DialogTrial
import Forms
import Foundation
import ProgramQuestions
import Testing

/// Calls of the real programs, recorded by Trials/Programs/dialog_golden.py.
@Suite(.timeLimit(.minutes(1))) struct DialogSampleTests {
  private static let cases: [DialogCase] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Samples/dialog.json")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([DialogCase].self, from: data)) ?? []
  }()

  @Test func `Recorded calls end with the status and the output of the real program`() {
    #expect(Self.cases.count >= 150)
    for sample in Self.cases {
      let played = sample.play()
      #expect(played.problem == nil, "\(sample)")
      #expect(played.status == sample.outcome?.status, "\(sample)")
      #expect(played.outputs == sample.outcome?.outputs, "\(sample)")
    }
  }

  @Test func `The screens of recorded calls have what the contract requires`() throws {
    for screen in Self.cases.flatMap({ $0.play().screens ?? [] }) {
      for key in ["name", "kind", "title", "body"] { #expect(screen[key]?.string != nil, "\(key) of \(screen)") }
      let name = screen["name"]?.string ?? ""
      #expect(name.allSatisfy { $0 == "-" || ($0.isASCII && ($0.isLowercase || $0.isNumber)) }, "\(name)")
      #expect(["menu", "list", "form", "message", "progress"].contains(screen["kind"]?.string))
      let actions = screen["actions"]?.array ?? []
      #expect(Set(actions.map { $0["id"] }).count == actions.count)
      #expect(actions.allSatisfy { $0["title"]?.string?.isEmpty == false && $0["role"]?.string != nil })
      let ids = screen["items"]?.array?.map { $0["id"]?.string ?? "" } ?? []
      #expect(Set(ids).count == ids.count && !ids.contains(""))
      #expect(screen["choosing"]?["initial"]?.array?.allSatisfy { ids.contains($0.string ?? "") } != false)
      guard screen["kind"] == "form", let schema = screen["schema"] else { continue }
      let order = screen["fields"]?.array?.compactMap(\.string) ?? []
      let form = try Form(schema: Schema(json: schema), order: order)
      #expect(form.fields.count == order.count)
      for (name, field) in schema["properties"]?.object ?? [:] where field["writeOnly"] == true {
        #expect(screen["values"]?[name] == nil)
      }
    }
  }
}
