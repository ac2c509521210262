import Forms
import ProgramQuestions

extension KeeperState {
  mutating func receive(fromShim id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    do throws(ShimError) {
      let effects = try calls[id]?.receive(bytes) ?? []
      return obey(effects, of: id)
    } catch {
      // The shim says that the question was lost, and ends.
      return close(id) + [.close(id)]
    }
  }

  mutating func obey(_ effects: [DialogSession.Effect], of id: ConnectionID) -> [KeeperEffect] {
    effects.flatMap { effect -> [KeeperEffect] in
      switch effect {
      case .send(let bytes): return [.send(id, bytes)]
      case .ask(let question): return ask(question, .call(id))
      case .show(let question):
        let isGauge = question.screen["progress"]?["fraction"] != nil
        return show(Display(source: id, screen: question.screen, stays: !isGauge))
      case .withdraw:
        questions.removeAll { $0.asker == .call(id) }
        return []
      case .wait(let seconds): return [.wait(.shown(id), milliseconds: min(seconds, 31_536_000) * 1_000)]
      case .end:
        calls[id] = nil
        return [.close(id)] + hide(id)
      }
    }
  }

  mutating func receive(fromDebconf id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    let effects = debconfs[id]?.receive(bytes, recalling: memory) ?? []
    return obey(effects, of: id)
  }

  mutating func obey(_ effects: [DebconfEffect], of id: ConnectionID) -> [KeeperEffect] {
    effects.flatMap { effect -> [KeeperEffect] in
      switch effect {
      case .reply(let bytes): return [.send(id, bytes)]
      case .ask(let block): return ask(block, of: id)
      // The screens of the package have its title.
      case .section: return []
      case .progress(let progress?): return show(Display(source: id, screen: progress.screen, stays: false))
      case .progress(nil): return hide(id)
      case .withdraw(let block):
        questions.removeAll { $0.asker == .debconf(id, block: block) }
        return []
      }
    }
  }

  /// Has a block answered from the file of answers, or by people.
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
        let message: JSONValue = ["level": "warning", "code": "no-answer", "text": .string(error.description)]
        question.screen["messages"] = .array((question.screen["messages"]?.array ?? []) + [message])
      }
    }
    return ask(question, .debconf(id, block: block.id))
  }

  /// Forgets a connection that has ended, and withdraws its questions.
  mutating func close(_ id: ConnectionID) -> [KeeperEffect] {
    controls[id] = nil
    calls[id] = nil
    apts[id] = nil
    var effects: [KeeperEffect] = []
    if var debconf = debconfs.removeValue(forKey: id) { effects += obey(debconf.close(), of: id) }
    questions.removeAll { $0.asker.belongs(to: id) }
    return effects + hide(id)
  }

  /// Takes what the program has printed.
  mutating func print(_ bytes: [UInt8]) -> [KeeperEffect] {
    tail.append(bytes)
    unanswered.append(bytes)
    // It has gone on without an answer.
    questions.removeAll { if case .terminal = $0.asker { true } else { false } }
    var effects = tellProgress()
    let mayAsk = bytes.last == 0x20 || bytes.last == UInt8(ascii: "]")
    if mayAsk, let prompt = TerminalPrompt(output: unanswered.bytes) {
      effects += ask(prompt.question, .terminal(prompt))
    }
    return effects
  }
}
