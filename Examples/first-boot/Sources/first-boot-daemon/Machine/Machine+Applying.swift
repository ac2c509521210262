import CoordinatorKit

extension Machine {
  /// Applies one step. Reads the setting first, and changes nothing that is already correct, so a step whose result was lost in
  /// a power cut can be applied again.
  ///
  /// - Parameters:
  ///   - step: what to apply.
  ///   - answers: what the user decided.
  ///   - secret: the password or the passphrase; nil if there is none, or if it was lost.
  /// - Returns: what became of the step.
  func apply(_ step: SetupStep, of answers: Answers, secret: Secret?) async -> StepResult {
    do {
      if try await isApplied(step, of: answers) {
        // The user who has typed a password expects to log in with it, and must not get into another user's account.
        if step == .password, let secret, try await !users.isPassword(secret, of: answers.user.login) {
          throw Problem(Text("{login} has another password already.", ["login": answers.user.login]))
        }
        return .wasSo
      }
      guard secret != nil || !answers.needSecret(for: step) else { return .needsSecret }
      do {
        try await set(step, of: answers, secret: secret)
      } catch {
        // A service may have applied it, and failed before it replied.
        guard (try? await isApplied(step, of: answers)) == true else { throw error }
      }
      return .applied
    } catch {
      return .failed(Problem.text(of: error))
    }
  }

  private func isApplied(_ step: SetupStep, of answers: Answers) async throws -> Bool {
    switch step {
    case .user:
      guard let name = try await users.fullName(of: answers.user.login) else { return false }
      guard name == answers.user.name else { throw Problem(Text("{login} is somebody else.", ["login": answers.user.login])) }
      return true
    case .password: return try await users.hasPassword(answers.user.login)
    case .network:
      guard let plan = answers.network else { return true }
      return try await networks.isJoined(plan)
    case .hostName: return try await hostName.value() == answers.host.name
    case .language: return try await language.value() == answers.language
    case .keyboard: return try await keyboard.value() == answers.keyboard
    case .timeZone: return try await timeZone.value() == answers.timeZone
    }
  }

  private func set(_ step: SetupStep, of answers: Answers, secret: Secret?) async throws {
    switch step {
    case .user: try await users.add(answers.user)
    case .password: if let secret { try await users.setPassword(secret, of: answers.user.login) }
    case .network: if let plan = answers.network { try await networks.join(plan, passphrase: secret) }
    case .hostName: try await hostName.set(answers.host.name)
    case .language: try await language.set(answers.language)
    case .keyboard: try await keyboard.set(answers.keyboard)
    case .timeZone: try await timeZone.set(answers.timeZone)
    }
  }
}

extension Answers {
  fileprivate func needSecret(for step: SetupStep) -> Bool {
    step == .password || step == .network && network?.network.isSecured == true
  }
}
