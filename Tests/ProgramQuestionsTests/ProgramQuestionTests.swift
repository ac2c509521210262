import Testing
@testable import ProgramQuestions
@Suite(.timeLimit(.minutes(1))) struct ProgramQuestionTests { @Test func `A question has a screen`() { #expect(ProgramQuestion(screen: [:]).screen.isEmpty) } }
