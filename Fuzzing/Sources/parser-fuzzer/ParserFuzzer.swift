import CFuzzer
import Glibc

/// Hands bytes to one of the parsers, as libFuzzer makes them up: `parser-fuzzer TARGET CORPUS... [-OPTION=VALUE...]`.
@main
enum ParserFuzzer {
  static func main() {
    let target: (@convention(c) (UnsafePointer<UInt8>?, Int) -> Int32)? =
      switch CommandLine.arguments.dropFirst().first {
      case "answers": { AnswersTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      case "header": { HeaderTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      case "keeper": { KeeperTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      case "quoting": { QuotingTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      case "request": { RequestTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      case "answer": { AnswerTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      case "message": { MessageTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      case "payload": { PayloadTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      case "state": { StateTarget.run(UnsafeBufferPointer(start: $0, count: $1)) }
      default: nil
      }
    guard let target else {
      print(
        "usage: parser-fuzzer answer|answers|header|keeper|message|payload|quoting|request|state [CORPUS...] [-max_total_time=SECONDS] [other options of libFuzzer]"
      )
      exit(64)
    }
    // What libFuzzer keeps of its arguments has to stay.
    let arguments = CommandLine.arguments.prefix(1) + CommandLine.arguments.dropFirst(2)
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
    for (index, argument) in arguments.enumerated() { pointers[index] = strdup(argument) }
    pointers[arguments.count] = nil
    var (count, values): (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) = (Int32(arguments.count), pointers)
    exit(LLVMFuzzerRunDriver(&count, &values, target))
  }
}
