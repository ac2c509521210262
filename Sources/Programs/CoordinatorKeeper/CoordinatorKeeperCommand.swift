import Glibc
import ProgramQuestions

/// Keeps one program that asks users questions.
public enum CoordinatorKeeperCommand {
  /// Runs the keeper with the arguments of the process, and ends the process.
  public static func main() -> Never {
    if ["--help", "-h"].contains(CommandLine.arguments.dropFirst().first) {
      report(KeeperOptions.usage, to: STDOUT_FILENO)
      exit(0)
    }
    do throws(KeeperFailure) {
      exit(try Keeper.run(try KeeperOptions(arguments)))
    } catch {
      report("coordinator-keeper: \(error)\n", to: STDERR_FILENO)
      exit(error.status)
    }
  }

  /// The arguments, which need not be UTF-8.
  private static var arguments: [ProgramText] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().compactMap { argument in
      argument.map { ProgramText(UnsafeBufferPointer(start: $0, count: strlen($0)).map { UInt8(bitPattern: $0) }) }
    }
  }

  private static func report(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}
