extension Transition {
  /// Returns the children of a coordinator, in the order in which they were started.
  func children(of path: CoordinatorPath) -> [Child] {
    after.coordinators[path]?.children.compactMap { after.coordinators[$0]?.child } ?? []
  }

  /// Adds the root coordinator, and schedules its `start()`.
  mutating func startRoot(flow: String, input: [String: JSONValue], language: String?) throws(Refusal) {
    let definition = try definition(of: flow, input: input)
    try add(definition, at: after.root, input: input, router: definition.description.router)
    after.languageName = language
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
    after.coordinators[parent] = record
    touched.insert(parent)
    for (name, secret) in secrets { keep(secret, as: name, of: path) }
    return Child(path: path, flow: flow, input: input)
  }

  /// Adds a child of a flow that only the daemon may know, which checks its input.
  private mutating func startUnknownChild(
    of record: inout CoordinatorRecord, flow: String, input: [String: JSONValue]
  ) -> Child {
    record.lastChild += 1
    let path = record.path.child("\(FlowDescription(flow, title: "").element)_\(record.lastChild)")
    record.children.append(path)
    after.coordinators[path] = CoordinatorRecord(
      path: path, flow: flow, input: input, inputSize: 0, router: .navigation, startedAt: now, state: NoState())
    after.coordinators[record.path] = record
    return Child(path: path, flow: flow, input: input)
  }

  /// Keeps the end of a child until its parent can be told.
  mutating func postpone(_ end: ChildEndRecord, of parent: CoordinatorPath, because obstacle: Hold.Obstacle) {
    after.coordinators[parent]?.belongings.childEnds.append(end)
    postponed[parent] = postponed[parent] ?? obstacle
    touched.insert(parent)
  }

  /// Removes and returns the oldest end of a child that was kept for its parent.
  mutating func takeChildEnd(for parent: CoordinatorPath) -> ChildEndRecord? {
    guard after.coordinators[parent]?.belongings.childEnds.isEmpty == false else { return nil }
    touched.insert(parent)
    return after.coordinators[parent]?.belongings.childEnds.removeFirst()
  }

  /// Ends a coordinator as finished, provided that its result can be sent.
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
    after.coordinators[path] = CoordinatorRecord(
      path: path, flow: definition.description.name, input: input, inputSize: size, router: router, startedAt: now,
      state: definition.initialState)
    started.append(path)
    touched.insert(path)
    steps.append(.start(path))
  }
}
