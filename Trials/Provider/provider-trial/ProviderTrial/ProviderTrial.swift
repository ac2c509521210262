import CoordinatorDaemon
import CoordinatorKit
import DBus
import ProviderFiles
import TestBus

/// Tests a provider of flows: plays the daemon on a private bus, walks through the flows, and subjects the provider to all
/// events that a daemon, a user and a machine may cause.
public struct ProviderTrial: Sendable {
  /// The error for options that cannot be used.
  public struct UsageError: Error, CustomStringConvertible {
    /// The problem.
    public let description: String
  }

  private let options: TrialOptions
  private let log: TrialLog

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - options: the options of the trial.
  ///   - tell: a closure that receives progress for people, one line each, on any thread.
  public init(_ options: TrialOptions, telling tell: @escaping @Sendable (String) -> Void = { _ in }) {
    self.options = options
    log = TrialLog(telling: tell)
  }

  /// Tests the provider. Ends early if the task is cancelled, and then reports its findings so far.
  ///
  /// - Returns: the report.
  /// - Throws: ``UsageError``; the errors of the bus if none can be started.
  public func run() async throws -> TrialReport {
    let marks = SecretMarks(seed: options.seed)
    let stage = try await Stage(options.command)
    let witness = try await Stage(options.command)
    let old: Stage? = if let command = options.oldCommand { try await Stage(command) } else { nil }
    let isComplete: Bool
    do {
      isComplete = try await run(stage, witness, old, marks)
    } catch let error as UsageError {
      for stage in [stage, witness, old] { await stage?.close() }
      throw error
    } catch {
      isComplete = false
      if !(error is CancellationError) { log.remark("the trial ended early: \(error)") }
    }
    for stage in [stage, witness, old] { await stage?.close() }
    return log.report(isComplete: isComplete)
  }

  private func run(_ stage: Stage, _ witness: Stage, _ old: Stage?, _ marks: SecretMarks) async throws -> Bool {
    guard let examiner = try await examiner(stage, log, marks) else { return true }
    try await walk(examiner)
    var passes = Passes(examiner: examiner, witness: witness, generator: SeededGenerator(seed: options.seed))
    guard !examiner.asked.isEmpty, !examiner.hasGivenUp else {
      log.couldNotTry("the rest, because the provider ended or kept silent too often")
      return true
    }
    for pass in TrialPass.allCases where options.passes.contains(pass) && !examiner.hasGivenUp {
      try Task.checkCancellation()
      log.say(pass.title)
      if pass == .upgrade {
        try await upgrade(from: old, marks, &passes)
      } else {
        await passes.run(pass)
      }
    }
    try Task.checkCancellation()
    if options.passes.contains(.release), !examiner.hasGivenUp, stage.isRunning { await passes.release() }
    passes.examinePrinted()
    summarize(examiner)
    return true
  }

  private func upgrade(from old: Stage?, _ marks: SecretMarks, _ passes: inout Passes) async throws {
    guard let old else {
      return log.couldNotTry("migration; give the command of an older version with --upgrade-from")
    }
    let quiet = TrialLog(telling: { _ in })
    guard let examiner = try await examiner(old, quiet, marks) else {
      return log.couldNotTry("migration, because the older version does not serve")
    }
    try await walk(examiner)
    await passes.upgrade(from: examiner)
  }

  // MARK: Parts

  private func walk(_ examiner: Examiner) async throws {
    let walk = Walk(examiner: examiner, options: options, catalogue: examiner.makeCatalogue())
    for name in examiner.flows.keys.sorted() where options.flows.isEmpty || options.flows.contains(name) {
      guard let flow = examiner.flows[name] else { continue }
      log.say("walking through \(name)")
      try await walk.walk(through: flow.description)
    }
  }

  /// Starts a provider, and examines its registration; returns nil if it does not serve.
  private func examiner(_ stage: Stage, _ log: TrialLog, _ marks: SecretMarks) async throws -> Examiner? {
    log.tries(.registers)
    do { try await stage.start() } catch {
      log.found(.registers, "\(error)")
      return nil
    }
    guard let registration = stage.book.value.registration else { return nil }
    var flows: [String: RegisteredFlow] = [:]
    for values in registration.flows {
      do {
        let flow = try RegisteredFlow(.vardict(values))
        flows[flow.description.name] = flow
      } catch {
        log.found(.registers, "RegisterFlows describes a flow that is not valid: \(error.message)", of: values["name"]?.string)
      }
    }
    if !registration.name.isEmpty {
      log.tries(.ownsName)
      if await stage.owner(of: registration.name) != registration.sender {
        log.found(.ownsName, "it registered as \(registration.name), which it did not own")
      }
    }
    if let unknown = options.flows.first(where: { flows[$0] == nil }) {
      throw UsageError(
        description: "the provider does not serve '\(unknown)', but \(flows.keys.sorted().joined(separator: ", "))")
    }
    return Examiner(stage, log, marks, flows: flows, patience: options.patience, childResults: options.childResults)
  }

  /// Records the kinds of events that did not occur.
  private func summarize(_ examiner: Examiner) {
    var walked = Set(examiner.asked.map(\.question.kind))
    walked.formUnion(["secrets-gone", "work-interrupted", "migrate", "looking", "language"])
    let rest = [
      "start", "event", "from-child", "script", "back", "child-ended", "output", "message", "work-ended", "timer",
    ].filter { !walked.contains($0) && $0 != "script" }
    if !rest.isEmpty {
      log.couldNotTry("these events in earnest, because the walk did not meet them: \(rest.joined(separator: ", "))")
    }
    let unknown = examiner.children.filter { options.childResults[$0] == nil }
    if !unknown.isEmpty {
      log.couldNotTry(
        "the real results of \(unknown.joined(separator: ", ")), flows of another provider; give some with --child-result")
    }
  }
}
