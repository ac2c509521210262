import Forms
import Foundation
import ProgramQuestions

/// Answers real programs by a script: `program-trial FOLDER askpass PROGRAM PROMPT`, `program-trial FOLDER pinentry`,
/// `program-trial FOLDER password FILE`, `program-trial FOLDER conffile <OUTPUT`.
struct ProgramTrial {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { exit(2) }
    let folder = TrialFolder(path: arguments[1])
    switch (arguments[2], arguments.count) {
    case ("askpass", 5): try askpass(folder, arguments[3], arguments[4])
    case ("pinentry", 3...): try pinentry(folder)
    case ("password", 4): try password(folder, arguments[3])
    case ("conffile", 3): try conffile(folder)
    default: exit(2)
    }
  }

  private static func askpass(_ folder: TrialFolder, _ program: String, _ prompt: String) throws {
    let hint = ProcessInfo.processInfo.environment["SSH_ASKPASS_PROMPT"]
    let request = AskpassRequest(prompt: prompt, hint: hint, from: AskpassProgram(command: program))
    let result = request.result(of: try folder.answer(to: request.question))
    for output in result.outputs { FileHandle(fileDescriptor: output.descriptor).write(Data(output.bytes)) }
    exit(Int32(result.status))
  }

  private static func pinentry(_ folder: TrialFolder) throws {
    let output = FileHandle.standardOutput
    var session = PinentrySession(identity: .init(version: "1.0", process: ProcessInfo.processInfo.processIdentifier))
    output.write(Data(PinentrySession.greeting))
    while true {
      let data = FileHandle.standardInput.availableData
      var effects = data.isEmpty ? session.close() : session.receive(data)
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .reply(let bytes): output.write(Data(bytes))
        case .ask(let question, let id): effects += try session.answer(try folder.answer(to: question), to: id)
        case .withdraw: break
        case .end: return
        }
      }
    }
  }

  private static func password(_ folder: TrialFolder, _ file: String) throws {
    let request = try PasswordRequest(try String(contentsOfFile: file, encoding: .utf8))
    FileHandle.standardOutput.write(Data(request.datagram(for: try folder.answer(to: request.question()))))
  }

  private static func conffile(_ folder: TrialFolder) throws {
    guard let prompt = ConffilePrompt(output: FileHandle.standardInput.readDataToEndOfFile()) else { exit(1) }
    FileHandle.standardOutput.write(Data(prompt.keys(for: try folder.answer(to: prompt.question)) ?? []))
  }
}
