import Languages

extension Transition {
  /// Returns the children of a coordinator, in the order in which they were started.
  func children(of path: CoordinatorPath) -> [Child] {
    after.coordinators[path]?.children.compactMap { after.coordinators[$0]?.child } ?? []
  }

  /// Adds the root coordinator, and schedules its `start()`.
  mutating func startRoot(flow: String, input: [String: JSONValue], language: String?) throws(Refusal) {
    let definition = try definition(of: flow, input: input)
    try add(definition, at: after.root, input: input, router: definition.description.router)
    after.setLanguage(language)
  }

  /// Adds a child, and schedules its `start()`.
  ///
  /// - Returns: the child, or nil if the parent is about to end.
  mutating func startChild(
    of parent: CoordinatorPath, flow: String, input: [String: JSONValue], secrets: [String: Secret] = [:], router: RouterKind
  ) throws(Refusal) -> Child? {
    guard isAlive(parent), var record = after.coordinators[parent] else { return nil }
    guard catalogue[flow] != nil || recording == nil else { return startUnknownChild(of: &record, flow: flow, input: input) }
    let definition = try definition(of: flow, input: input)
    guard parent.depth < limits.maxDepth else {
      throw .limitExceeded("a flow tree must not be deeper than \(limits.maxDepth) coordinators")
    }
    record.lastChild += 1
    let path = parent.child("\(definition.description.element)_\(record.lastChild)")
    record.children.append(path)
    try add(definition, at: path, input: input, router: router)
    after.put(record)
    touched.insert(parent)
    for (name, secret) in secrets { keep(secret, as: name, of: path) }
    return Child(path: path, flow: flow, input: input)
  }

  /// Adds a child of a flow that only the daemon knows; the daemon checks its input.
  private mutating func startUnknownChild(
    of record: inout CoordinatorRecord, flow: String, input: [String: JSONValue]
  ) -> Child {
    record.lastChild += 1
    let path = record.path.child("\(FlowDescription(flow, title: "").element)_\(record.lastChild)")
    record.children.append(path)
    after.put(
      CoordinatorRecord(
        path: path, flow: flow, input: input, inputSize: 0, router: .navigation, startedAt: now, state: NoState()))
    after.put(record)
    return Child(path: path, flow: flow, input: input)
  }

  /// Stores the end of a child until it can be delivered to the parent.
  mutating func postpone(_ end: ChildEndRecord, of parent: CoordinatorPath, because obstacle: Hold.Obstacle) {
    after.change(parent) { $0.belongings.childEnds.append(end) }
    postponed[parent] = postponed[parent] ?? obstacle
    touched.insert(parent)
  }

  /// Removes and returns the oldest undelivered end of a child of a parent.
  mutating func takeChildEnd(for parent: CoordinatorPath) -> ChildEndRecord? {
    guard after.coordinators[parent]?.belongings.childEnds.isEmpty == false else { return nil }
    touched.insert(parent)
    return after.change(parent) { $0.belongings.childEnds.removeFirst() }
  }

  /// Ends a coordinator as finished, if its result can be sent.
  mutating func finish(
    _ path: CoordinatorPath, result: [String: JSONValue], secrets: [String: Secret] = [:]
  ) throws {
    guard JSONValue.object(result).depth <= limits.maxNesting else {
      throw Refusal.limitExceeded("a result must not be nested deeper than \(limits.maxNesting) levels")
    }
    guard JSONValue.object(result).canBeSent else {
      throw Failure(code: "invalid-result", technical: "a result must not contain null in an array, NUL, or a non-finite number")
    }
    end(path, .finished(result), secrets: secrets)
  }

  private func definition(of flow: String, input: [String: JSONValue]) throws(Refusal) -> FlowDefinition {
    guard let definition = catalogue[flow], catalogue.provided?.isStandIn(flow) != true else { throw .unknownFlow(flow) }
    let reasons = speaking { definition.check(input) }
    guard reasons.isEmpty else { throw .invalidInput(reasons) }
    return definition
  }

  private mutating func add(
    _ definition: FlowDefinition, at path: CoordinatorPath, input: [String: JSONValue], router: RouterKind
  ) throws(Refusal) {
    let size = JSONValue.object(input).roughSize
    guard size <= limits.maxInputSize - after.inputSize else {
      throw .limitExceeded(
        "the inputs of a tree's coordinators must not take up more than \(limits.maxInputSize) bytes of memory")
    }
    after.put(
      CoordinatorRecord(
        path: path, flow: definition.description.name, input: input, inputSize: size, router: router, startedAt: now,
        state: definition.initialState))
    started.append(path)
    touched.insert(path)
    steps.append(.start(path))
  }
}

extension Transition {
  /// Schedules a piece of work to start once the transition is stored.
  mutating func startWork(
    _ work: any Codable & Sendable, key: WorkKey?, of path: CoordinatorPath, secrets: [String: Secret]
  ) throws(Refusal) {
    guard isAlive(path) else { return }
    if let key { cancelWork(key, of: path) }
    let running = after.coordinators.values.reduce(0) { $0 + $1.work.count }
    guard running < limits.maxWork else { throw .limitExceeded("a tree must not run more than \(limits.maxWork) pieces of work") }
    let record = WorkRecord(
      id: after.nextWorkID(), work: work, key: key, screen: window.ids(of: path).last,
      tookSecrets: !secrets.isEmpty)
    after.change(path) { $0.work.append(record) }
    touched.insert(path)
    // Copies, because work wipes its secrets when it is done, but a kept secret may be needed again.
    orders.append(WorkOrder(coordinator: path, record: record, secrets: secrets.mapValues { Secret(copying: $0) }))
  }

  /// Returns the work that a coordinator has started and whose result it has not yet received.
  func runningWork<Work>(of path: CoordinatorPath?) -> [Work] {
    path.flatMap { after.coordinators[$0] }?.work.compactMap { $0.work as? Work } ?? []
  }

  /// Returns the work of a coordinator that was started with a key.
  func runningWork(_ key: WorkKey, of path: CoordinatorPath) -> WorkRecord? {
    after.coordinators[path]?.work.first { $0.key == key }
  }

  /// Records that a piece of work that another process performs has ended, or is about to be started again. Ignored if the work
  /// is unknown or has already ended.
  mutating func keep(_ note: ProvidedWork.Note, of work: String, for instance: FlowInstance) {
    guard let record = after.coordinators[instance.path], record.startedAt == instance.startedAt,
      let index = record.work.firstIndex(where: { $0.key == WorkKey(work) }), record.work[index].result == nil
    else { return }
    after.change(instance.path) { record in
      switch note {
      case .ended(let result): record.work[index].result = result
      case .begins(let attempt): record.work[index].attempts = attempt
      }
    }
    touched.insert(instance.path)
  }

  /// Records the work results that were stored while this transition waited for a provider.
  mutating func keepResults(of other: TreeState) {
    for path in Array(after.coordinators.keys) {
      guard let record = after.coordinators[path], !record.work.isEmpty, let known = other.coordinators[path] else { continue }
      for work in known.work {
        guard let index = record.work.firstIndex(where: { $0.id == work.id }) else { continue }
        after.change(path) { record in
          if let result = work.result { record.work[index].result = result }
          if work.attempts > 1 { record.work[index].attempts = work.attempts }
        }
      }
    }
  }

  /// Removes the work of a coordinator that was started with a key, if it exists.
  mutating func cancelWork(_ key: WorkKey, of path: CoordinatorPath) {
    guard let index = after.coordinators[path]?.work.firstIndex(where: { $0.key == key }),
      let record = after.change(path, { $0.work.remove(at: index) })
    else { return }
    cancelledWork.append(record.id)
    orders.removeAll { $0.record.id == record.id }
    touched.insert(path)
  }

  /// Removes all work of a coordinator, started or not.
  mutating func cancelWork(of path: CoordinatorPath) {
    guard let work = after.coordinators[path]?.work, !work.isEmpty else { return }
    cancelledWork += work.map(\.id)
    orders.removeAll { $0.coordinator == path }
    after.change(path) { $0.work = [] }
    touched.insert(path)
  }

  /// Removes a piece of work from its coordinator, because its result is about to be handled.
  ///
  /// - Returns: the work, or nil if it was cancelled in the meantime.
  mutating func takeWork(_ id: WorkID, of path: CoordinatorPath) -> WorkRecord? {
    guard let index = after.coordinators[path]?.work.firstIndex(where: { $0.id == id }) else { return nil }
    touched.insert(path)
    return after.change(path) { $0.work.remove(at: index) }
  }
}

extension Transition {
  /// The screens that must still be computed again after a change of the language.
  enum Redrawing: Sendable {
    case none
    /// All screens.
    case all
    /// The screens that show the answers of other screens, whose translations are known only now.
    case reviewers
  }

  /// The language in which screens are computed; nil for English.
  var translation: Translations.Language? { after.language.flatMap(catalogue.translations.language(for:)) }

  /// Runs a closure with the language of the tree as the language of its texts.
  func speaking<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let translation else { return try body() }
    return try Translation.$current.withValue(translation) { try body() }
  }

  /// Lets a client propose another language.
  mutating func openLanguage() { after.change(after.root) { $0.belongings.isLanguageOpen = true } }

  /// Records that the language of the tree has been chosen, or that the tree is used in its language: proposals of other languages
  /// have no effect any more.
  mutating func closeLanguage() {
    guard after.isLanguageOpen else { return }
    after.change(after.root) { $0.belongings.isLanguageOpen = false }
    touched.insert(after.root)
  }

  /// Shows the tree in a language that a client proposes, unless its language has been chosen.
  mutating func takeProposal(of language: LanguageTag) {
    guard after.isLanguageOpen else { return }
    changeLanguage(to: language)
    closeLanguage()
  }

  /// Changes the language of the tree, and schedules all screens to be computed again after the handlers.
  mutating func changeLanguage(to language: LanguageTag) {
    // Otherwise, screens that change the language while they are computed would cause an endless loop.
    guard after.languageName != language.description, !hasBegunToRedraw else { return }
    after.setLanguage(language.description)
    touched.insert(after.root)
    redrawing = .all
  }

  /// Schedules the next part of the redrawing.
  mutating func scheduleRedrawing() {
    hasBegunToRedraw = true
    switch redrawing {
    case .none: break
    case .all:
      redrawing = .reviewers
      steps += after.coordinatorsInOrder.filter { window.hasScreens(of: $0.path) }.map { .redraw($0.path) }
    case .reviewers:
      redrawing = .none
      steps += after.coordinatorsInOrder.filter { reviewers.contains($0.path) }.map { .redraw($0.path) }
    }
  }
}

extension Transition.Step {
  /// Whether the step calls a handler, rather than only computing screens.
  var callsHandler: Bool {
    if case .redraw = self { false } else { true }
  }
}

extension Coordinator {
  /// The language of the flow tree: the language that it was started with, or that a coordinator has set since; nil if neither,
  /// which means English. Always nil outside handlers.
  public var language: LanguageTag? { context.scope?.transition.after.language }

  /// The languages of the flows' translations, sorted by tag. English is always included. Use them for a screen on which the
  /// user chooses a language. Always empty outside handlers.
  public var languages: [Translations.Language] { context.scope?.transition.catalogue.translations.languages ?? [] }

  /// Changes the language of the whole flow tree. All screens are computed again in this transition, after its handlers.
  ///
  /// ```swift
  /// case .language: setLanguage(try LanguageTag(event.selection ?? ""))
  /// ```
  ///
  /// A text that a handler has converted to a string does not change: keep a `Text` in state and routes instead. Running work
  /// continues to report progress in the language in which it was started.
  ///
  /// - Parameter language: the language. Texts without a translation are shown in English.
  public func setLanguage(_ language: LanguageTag) {
    context.change { transition, _ in
      transition.closeLanguage()
      transition.changeLanguage(to: language)
    }
    context.record { _, _ in .setLanguage(language.description) }
  }
}
