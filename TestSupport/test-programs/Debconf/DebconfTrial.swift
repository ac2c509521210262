import Forms
import Foundation
import ProgramQuestions

/// Answers real debconf by a script: `debconf-trial SCRIPT REPORT DESCRIPTOR` accepts connections one after another on a
/// listening socket, and writes the events as lines of JSON.
struct DebconfTrial {
  private var answers: TrialAnswers
  private let report: FileHandle
  private let cancelsProgress: Bool
  private var memory = DebconfMemory()

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let listener = Int32(arguments[3]) else { exit(2) }
    signal(SIGPIPE, SIG_IGN)
    let script = try TrialScript.read(arguments[1])
    guard let report = FileHandle(forWritingAtPath: arguments[2]) else { exit(2) }
    var trial = DebconfTrial(
      answers: try TrialAnswers(script), report: report, cancelsProgress: script.cancelsProgress == true)
    while true {
      let connected = accept(listener, nil, nil)
      guard connected >= 0 else { exit(1) }
      trial.serve(connected)
      close(connected)
    }
  }

  private mutating func serve(_ descriptor: Int32) {
    write(["connection": "open"])
    var connection = DebconfConnection()
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      take(connection.receive(bytes[..<count], recalling: memory), descriptor, &connection)
    }
    take(connection.close(), descriptor, &connection)
    write(["connection": "closed"])
  }

  private mutating func take(_ effects: [DebconfEffect], _ descriptor: Int32, _ connection: inout DebconfConnection) {
    for effect in effects {
      switch effect {
      case .reply(let bytes): _ = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      case .section(let section, let title): write(["section": .string(section), "title": .string(title)])
      case .progress(let progress):
        write(["progress": progress.map { (try? $0.screen.json)?["progress"] ?? [:] } ?? "ended"])
        if cancelsProgress { write(["cancelled": .boolean(connection.cancelProgress())]) }
      case .withdraw(let block): write(["withdrawn": .integer(Int64(block))])
      case .ask(let block): answer(block, descriptor, &connection)
      }
    }
  }

  private mutating func answer(_ block: DebconfBlock, _ descriptor: Int32, _ connection: inout DebconfConnection) {
    let types = block.questions.map { JSONValue.object(["tag": .string($0.tag), "type": .string($0.type.rawValue)]) }
    write([
      "ask": .object((try? block.question.screen.json) ?? [:]), "back": .boolean(block.allowsBack), "questions": .array(types),
      "mayEnd": .boolean(connection.mayEnd),
    ])
    do {
      let answer = try answers.answer(to: block)
      switch answer {
      case .back: write(["answer": "back"])
      case .event(let event, let payload, _):
        write([
          "answer": .string(event), "payload": .object(payload), "values": .object(answers.given.mapValues { .string($0) }),
        ])
      }
      let effects = try connection.answer(answer, to: block.id, remembering: &memory)
      take(effects, descriptor, &connection)
    } catch {
      write(["error": .string("\(error)")])
      exit(3)
    }
  }

  private func write(_ object: [String: JSONValue]) {
    report.write(Data((JSONValue.object(object).canonicalText + "\n").utf8))
  }
}
