/// A call, and the reason why its arguments could not be decoded, if there is one.
struct ArrivedCall: Sendable {
  var call: IncomingCall
  let unreadable: UnreadableBody?
}

/// A connection's admission rule and its state.
struct Admitting {
  let rule: AdmissionRule
  var admission = Admission<ArrivedCall>()
  /// Whether the bus lacks `GetConnectionCredentials`, or gives an answer that cannot be read.
  var asksForUserOnly = false

  init(_ rule: AdmissionRule) { self.rule = rule }
}

extension Connection {
  /// Carries out a call if its sender is admitted, immediately or once that is known.
  func receiveCall(_ arrived: ArrivedCall, size: Int) {
    let sender = arrived.call.sender
    guard let arrival = gate?.admission.arrive(arrived, from: sender, size: size) else { return carryOut(arrived) }
    switch arrival {
    case .decided(let verdict): conclude(arrived, .verdict(verdict))
    case .waits(let isFirst): if isFirst { ask(about: sender) }
    case .tooMuch:
      refuse(
        arrived.call,
        .limitsExceeded("Too many calls are waiting for the bus to identify their senders; make them one after the other"))
    }
  }

  private func ask(about sender: String) {
    let forUserOnly = gate?.asksForUserOnly == true
    let member = forUserOnly ? "GetConnectionUnixUser" : "GetConnectionCredentials"
    start(.bus(member, [.string(sender)])) { connection, result in
      connection.learn(about: sender, result, askedForUserOnly: forUserOnly)
    }
  }

  private func learn(about sender: String, _ result: Result<[Value], any Error>, askedForUserOnly: Bool) {
    switch result {
    case .success(let reply):
      guard let peer = PeerCredentials(reply: reply) ?? PeerCredentials(userReply: reply) else { return settle(sender, .unknown) }
      decide(about: sender, peer)
    case .failure(let error as DBusError) where error.isStandard("NameHasNoOwner"): settle(sender, .gone)
    case .failure(let error) where PeerCredentials.isAbsent(error) && !askedForUserOnly:
      gate?.asksForUserOnly = true
      ask(about: sender)
    case .failure: settle(sender, .unknown)
    }
  }

  private func decide(about sender: String, _ peer: PeerCredentials) {
    guard let rule = gate?.rule else { return }
    Task {
      let peer = await rule.completes(peer)
      settle(sender, .verdict(await rule.admits(peer) ? .admitted(peer) : .refused(peer)))
    }
  }

  private func settle(_ sender: String, _ answer: Admission<ArrivedCall>.Answer) {
    gate?.admission.settle(sender, answer)
    handOver(callsOf: sender)
  }

  /// Hands over some calls per job, so that a sender with many does not delay the others.
  private func handOver(callsOf sender: String) {
    for _ in 0..<16 {
      guard let (arrived, answer) = gate?.admission.next(of: sender) else { return callsMayBeAnswered() }
      conclude(arrived, answer)
    }
    loop.post { [weak self] in self?.assumeIsolated { $0.handOver(callsOf: sender) } }
  }

  private func conclude(_ arrived: ArrivedCall, _ answer: Admission<ArrivedCall>.Answer) {
    var arrived = arrived
    switch answer {
    case .verdict(.admitted(let peer)):
      arrived.call.credentials = peer
      if limits.countsByUser, let user = peer.user { arrived.call.slot.count(for: user) }
      carryOut(arrived)
    case .verdict(.refused(let peer)): refuse(arrived, peer)
    case .unknown: refuse(arrived, nil)
    case .gone:
      arrived.call.abandon()
      forgetRefused(arrived.call.signature)
    }
  }

  private func refuse(_ arrived: ArrivedCall, _ peer: PeerCredentials?) {
    guard let rule = gate?.rule else { return }
    refuse(arrived.call, rule.refusal(of: peer))
  }
}

extension PeerCredentials {
  /// Decodes the answer of `GetConnectionUnixUser`.
  fileprivate init?(userReply: [Value]) {
    guard case .uint32(let user)? = userReply.first else { return nil }
    self.init(user: user)
  }
}
