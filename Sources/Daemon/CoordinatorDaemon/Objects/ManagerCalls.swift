import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Languages

/// Answers the manager's calls and properties from the last published state. Used only on the host's executor.
final class ManagerCalls {
  private let settings: HostSettings
  private let roots: RootRegistry
  private let heldBack: HeldBackCalls
  private let access: AccessPolicy
  private let clients: ClientWatch
  private let flows: OfferedFlows
  private let catalogue: FlowCatalogue
  private let environments: TreeEnvironments
  private let entry: HostEntry

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the limits that are properties.
  ///   - roots: the live and ended roots.
  ///   - heldBack: keeps the calls that wait.
  ///   - access: decides which flows are hidden from a caller.
  ///   - clients: counts renderers.
  ///   - flows: the list of flows.
  init(
    of host: HostServices, settings: HostSettings, roots: RootRegistry, heldBack: HeldBackCalls, access: AccessPolicy,
    clients: ClientWatch, flows: OfferedFlows
  ) {
    (catalogue, environments, entry) = (host.catalogue, host.environments, host.entry)
    (self.settings, self.roots, self.heldBack) = (settings, roots, heldBack)
    (self.access, self.clients, self.flows) = (access, clients, flows)
  }

  /// Returns a property; nil if the manager has none of that name.
  func property(_ name: String) -> Value? {
    switch name {
    case "ActiveFlows": .uint32(UInt32(clamping: roots.activeCount))
    case "Renderers": .uint32(UInt32(clamping: clients.rendererCount))
    case "Features": .strings(Contract.features)
    case "Languages":
      .array(
        of: .structure([.string, .string]),
        catalogue.translations.languages.map { .structure([.string($0.tag.bcp47), .string($0.name)]) })
    default: settings.configuration.property(name)
    }
  }

  /// Handles `GetOutcome`.
  func outcome(_ call: IncomingCall) {
    do throws(DBusError) {
      let (path, coordinator) = try settings.reader.outcomeRequest(call.arguments)
      guard let coordinator, let known = try roots.outcome(of: coordinator) else {
        throw .unknownObject("no coordinator \(path) is known")
      }
      switch known {
      case .active: call.reply([.string("active"), .vardict([:])])
      case .ended(let outcome): call.reply(outcome.values)
      }
    } catch {
      call.fail(error)
    }
  }

  /// Handles `GetEnding`.
  func ending(_ call: IncomingCall) {
    do throws(DBusError) {
      let (path, root) = try settings.reader.outcomeRequest(call.arguments)
      guard let root, let ended = roots.ended[String(root.root)], ended.path == root else {
        throw .unknownObject("no flow is remembered that ended at \(path)")
      }
      call.reply([ended.value])
    } catch {
      call.fail(error)
    }
  }

  /// Handles `Forget`. The call waits for the restoration of its token's flow.
  func forget(_ call: IncomingCall) {
    do throws(DBusError) {
      let token = try settings.reader.forgetRequest(call.arguments)
      if heldBack.isMissing(.root(token)) { return heldBack.hold(call, for: .root(token)) }
      guard try roots.canForget(token) else { return call.reply([.boolean(false)]) }
      guard let journal = environments.journal else {
        roots.forget(token)
        return call.reply([.boolean(true)])
      }
      Task { [entry] in
        do throws(JournalError) {
          try await journal.forget(token)
          await entry.host?.run {
            $0.roots.forget(token)
            call.reply([.boolean(true)])
          }
        } catch {
          call.fail(CallError.notStored(error.description).dbusError)
        }
      }
    } catch {
      call.fail(error)
    }
  }

  /// Handles `ListFlows`, which lists the flows that the caller may start.
  func listFlows(_ call: IncomingCall) {
    let hidden = access.flows(hiddenFrom: call)
    guard flows.list.size > LargeAnswer.size else { return call.reply([.vardicts(flows.list.values(hiding: hidden))]) }
    // Callers with the same hidden flows share an answer.
    let key = "ListFlows without \(hidden.sorted())"
    call.reply(inTurn: { [entry] () throws(DBusError) in
      let list = try entry.read { $0.flows.list }
      return LargeAnswer(key: key, stamp: list.stamp) { [.vardicts(list.values(hiding: hidden))] }
    })
  }

  /// Handles `ListFlowsAfter`, which lists a part of the flows that the caller may start.
  func listFlowsAfter(_ call: IncomingCall) {
    do throws(DBusError) {
      var arguments = Arguments(call.arguments)
      let last = try arguments.name()
      let count = Int(clamping: try arguments.unsigned())
      let page = flows.list.page(
        after: last, count: count == 0 ? .max : count, bytes: LargeAnswer.size,
        hiding: access.flows(hiddenFrom: call))
      call.reply([.vardicts(page.entries), .boolean(page.hasMore)])
    } catch {
      call.fail(error)
    }
  }

  /// Handles `ListActive`, which lists the trees of flows that the caller may start.
  func listActive(_ call: IncomingCall) {
    let hidden = access.flows(hiddenFrom: call)
    guard roots.activeRowsSize > LargeAnswer.size else { return call.reply([roots.active.rows(hiding: hidden)]) }
    // Callers with the same hidden flows share an answer.
    let key = "ListActive without \(hidden.sorted())"
    call.reply(inTurn: { [entry] () throws(DBusError) in
      let (stamp, active) = try entry.read { ($0.roots.stamp, $0.roots.active) }
      return LargeAnswer(key: key, stamp: stamp) { [active.rows(hiding: hidden)] }
    })
  }

  /// Handles `ListEnded`, which lists the ended trees of flows that the caller may start.
  func listEnded(_ call: IncomingCall) {
    call.reply([roots.endedRows(hiding: access.flows(hiddenFrom: call))])
  }
}

extension EndedRoot {
  /// The result of `GetEnding`.
  fileprivate var value: Value {
    let told = outcome.values
    return .vardict(["flow": .string(flow), "outcome": told[0], "result": told[1]])
  }
}

extension DaemonConfiguration {
  /// Returns a property of the manager that never changes while the daemon runs; nil if there is no such property.
  fileprivate func property(_ name: String) -> Value? {
    switch name {
    case "Version": .string(version)
    case "MaxFlows": .uint32(limits.maxFlows)
    case "MaxFlowsPerClient": .uint32(limits.maxFlowsPerClient)
    case "MaxDepth": .uint32(limits.maxDepth)
    case "MaxItems": .uint32(limits.maxItems)
    case "MaxPayload": .uint32(limits.maxPayload)
    case "MaxOutcomes": .uint32(limits.maxOutcomes)
    case "MaxRegisteredFlows": .uint32(limits.maxRegisteredFlows)
    case "MaxRegisteredBytes": .uint32(limits.maxRegisteredBytes)
    default: nil
    }
  }
}

extension FlowDescription {
  /// Returns the flow as an entry in the result of `ListFlows`.
  func vardict(_ schemas: FlowSchemas?, _ languages: [Translations.Language]) -> [String: Value] {
    let schema = (try? Value(json: input.schema.json)) ?? .vardict([:])
    var entry: [String: Value] = [
      "name": .string(name), "title": .string(title), "summary": .string(summary), "input": schema,
      "rehearsable": .boolean(isRehearsable), "leavable": .boolean(canBeLeft), "singleton": .boolean(isSingleton),
      "part": .boolean(isPart),
    ]
    entry["result"] = schemas?.result.flatMap { try? Value(json: $0.json) }
    entry["output"] = schemas?.output.flatMap { try? Value(json: $0.json) }
    entry["titles"] = Value(translations: titles(in: languages))
    entry["summaries"] = Value(translations: summaries(in: languages))
    return entry
  }

  /// Returns the size of a program's flow in the result of `ListFlows`, in bytes. It may be larger than the received size,
  /// because each number of a compact array becomes a value with its type.
  func listedSize(_ schemas: FlowSchemas) -> Int { Value.vardict(vardict(schemas, [])).wireSize }
}
