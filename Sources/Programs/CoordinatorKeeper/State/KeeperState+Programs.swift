import CoordinatorKit
import ProgramQuestions

extension KeeperState {
  mutating func receive(fromShim id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    do throws(ShimError) {
      let effects = try calls[id]?.receive(bytes) ?? []
      return obey(effects, of: id)
    } catch {
      note("\(calls[id]?.description ?? "a shim"), was lost: \(error)")
      // The shim reports that the question was lost, and ends.
      return close(id) + [.close(id)]
    }
  }

  mutating func obey(_ effects: [DialogSession.Effect], of id: ConnectionID) -> [KeeperEffect] {
    effects.flatMap { effect -> [KeeperEffect] in
      switch effect {
      case .send(let bytes): return [.send(id, bytes)]
      case .ask(let question): return ask(question, .call(id))
      case .show(let question):
        let isGauge = question.screen.progress?.fraction != nil
        return show(Display(source: id, screen: question.screen, stays: !isGauge))
      case .withdraw:
        questions.removeAll { $0.asker == .call(id) }
        return []
      case .wait(let seconds): return [.wait(.shown(id), milliseconds: min(seconds, 31_536_000) * 1_000)]
      case .end:
        // The shim closes the connection after it has carried out its requests, or has reported why it cannot.
        calls[id]?.end()
        return hide(id) + [.wait(.silent(id), milliseconds: times.silence)]
      }
    }
  }

  mutating func receive(fromDebconf id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    unheard.remove(id)
    let effects = debconfs[id]?.receive(bytes, recalling: memory) ?? []
    return obey(effects, of: id)
  }

  mutating func obey(_ effects: [DebconfEffect], of id: ConnectionID) -> [KeeperEffect] {
    effects.flatMap { effect -> [KeeperEffect] in
      switch effect {
      case .reply(let bytes): return [.send(id, bytes)]
      case .ask(let block): return ask(block, of: id)
      // The title is part of the package's screens already.
      case .section: return []
      case .progress(let progress?): return show(Display(source: id, screen: progress.screen, stays: false))
      case .progress(nil): return hide(id)
      case .withdraw(let block):
        questions.removeAll { $0.asker == .debconf(id, block: block) }
        return []
      }
    }
  }

  /// Answers a block from the file of answers, or asks users.
  private mutating func ask(_ block: DebconfBlock, of id: ConnectionID) -> [KeeperEffect] {
    var question = block.question
    if selections != nil {
      do throws(MissingSelections) {
        if let answer = try selections?.answer(for: block),
          let effects = try? debconfs[id]?.answer(answer, to: block.id, remembering: &memory)
        {
          return obey(effects, of: id)
        }
      } catch {
        question.screen.messages.append(.warning("no-answer", Text(verbatim: error.description)))
      }
    }
    return ask(question, .debconf(id, block: block.id))
  }

  /// Closes a connection that has not sent a request in time, or has not ended after its answer. A connection of debconf may be
  /// silent for long, while a package is being configured: it is closed only when another one needs its place.
  mutating func closeIfSilent(_ id: ConnectionID) -> [KeeperEffect] {
    if controls[id]?.hasSpoken == false {
      controls[id] = nil
      return [.send(id, ControlReply.line(ControlReply.error(.silent))), .close(id)]
    }
    if debconfs[id]?.hasSpoken == false { unheard.insert(id) }
    guard let call = calls[id], !call.hasCalled || call.isToEnd else { return [] }
    note("\(call), \(call.isToEnd ? "was answered and has not ended" : "has connected and did not say what it asks")")
    return close(id) + [.close(id)]
  }

  /// Closes the oldest connection of debconf that has been silent for long, because a new one needs its place.
  mutating func closeUnheard() -> [KeeperEffect] {
    guard let id = unheard.min() else { return [] }
    note("something has connected as debconf does and said nothing, and was hung up on for others")
    return close(id) + [.close(id)]
  }

  /// Removes a connection that has ended, and withdraws its questions.
  mutating func close(_ id: ConnectionID) -> [KeeperEffect] {
    controls[id] = nil
    calls[id] = nil
    apts[id] = nil
    unheard.remove(id)
    var effects: [KeeperEffect] = []
    if var debconf = debconfs.removeValue(forKey: id) { effects += obey(debconf.close(), of: id) }
    questions.removeAll { $0.asker.belongs(to: id) }
    return effects + hide(id)
  }

  /// Takes output of the program.
  mutating func print(_ bytes: [UInt8]) -> [KeeperEffect] {
    tail.append(bytes)
    // The program has continued without an answer.
    questions.removeAll(where: \.isOnTerminal)
    // A program that prints continuously does not wait for an answer, and searching its output for a prompt takes time: search
    // only when it pauses.
    return tellProgress() + (mayAsk ? [.wait(.quiet, milliseconds: times.quiet)] : [])
  }

  /// Whether the output ends like a prompt.
  private var mayAsk: Bool { tail.sinceAnswer.last == 0x20 || tail.sinceAnswer.last == UInt8(ascii: "]") }

  /// Looks for a question at the end of the program's output.
  mutating func lookForPrompt() -> [KeeperEffect] {
    guard programEnding == nil, mayAsk, !questions.contains(where: \.isOnTerminal),
      let prompt = TerminalPrompt(output: tail.sinceAnswer)
    else { return [] }
    return ask(prompt.question, .terminal(prompt))
  }
}
