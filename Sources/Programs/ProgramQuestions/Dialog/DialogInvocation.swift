/// A call of whiptail or dialog, which the shim sends first.
package struct DialogInvocation: Sendable, Hashable {
  /// The program that was called.
  package enum Program: String, Sendable, Hashable {
    case whiptail, dialog
  }

  /// The program that was called.
  package var program: Program
  /// The arguments, without the program's name.
  package var arguments: [ProgramText]
  /// The environment variables whose names begin with `DIALOG`.
  package var environment: [String: ProgramText]
  /// The name of the running program for users, which is the title of boxes without one.
  package var programTitle = ""
  /// The size of the terminal.
  package var lines: Int, columns: Int
  /// The file descriptors that are open for writing; nil if unknown.
  package var writable: Set<Int32>?

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - program: the program that was called.
  ///   - arguments: the arguments, without the program's name.
  ///   - environment: the environment variables whose names begin with `DIALOG`.
  ///   - lines: the height of the terminal.
  ///   - columns: the width of the terminal.
  package init(
    _ program: Program, _ arguments: [ProgramText], environment: [String: ProgramText] = [:], lines: Int = 24, columns: Int = 80
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    (self.lines, self.columns) = (lines, columns)
  }

  /// Returns the next step of the call, or its end.
  ///
  /// A pure function that evaluates the call from its start each time, with all inputs so far. A keeper therefore stores only
  /// the invocation and the inputs.
  ///
  /// - Parameter inputs: the inputs that the call has received, in the order of its steps.
  /// - Returns: the next step.
  package func step(after inputs: [DialogInput]) -> DialogStep {
    var console = DialogConsole(inputs: inputs[...])
    do throws(DialogStep) {
      switch program {
      case .whiptail:
        var run = WhiptailRun(self)
        try run.run(on: &console)
      case .dialog:
        var run = DialogRun(self)
        try run.run(on: &console)
      }
    } catch { return error }
  }
}
