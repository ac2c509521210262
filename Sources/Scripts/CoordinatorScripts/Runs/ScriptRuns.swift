/// What the runs of all scripts need: who starts them, where they wait, and what is noted of them.
struct ScriptRuns: Sendable {
  let starter: RunStarter
  let cache: RunCache
  let notes: AuthorNotes
}
