// Exports for users: show a run on a terminal, ask its questions, print its outcome.

export type { Questions, QuestionsOptions } from "./questions/open-questions.ts";
export { openQuestions } from "./questions/open-questions.ts";
export type { NextStep } from "./report/print-ending.ts";
export { printEnding, printReportError } from "./report/print-ending.ts";
export { printError } from "./report/print-error.ts";
export { printRunHeader, type RunHeader } from "./report/run-header.ts";
export type { Progress, ViewOptions } from "./view/create-view.ts";
export { createView } from "./view/create-view.ts";
export type { StartSession, StopRequest, WatchingProcess, WatchOptions } from "./view/watch-session.ts";
export { watchSession } from "./view/watch-session.ts";

// Exports for implementers of other user interfaces: the building blocks of these functions.

export type { ApprovalSubject } from "./approval/approval-subject.ts";
export { approvalSubjectOf } from "./approval/approval-subject.ts";
export { suggestRule } from "./approval/suggest-rule.ts";
export {
  type CompletableArgument,
  type CompletableCommand,
  type CompletableOption,
  completeWords,
  type KnownValues,
  type KnownWord,
  NO_VALUES,
  type ValueSources,
} from "./completion/complete-words.ts";
export { COMPLETION_SCRIPTS } from "./completion/completion-scripts.ts";
export { SHELLS, type Shell } from "./completion/shells.ts";
export { type ClusterSummary, renderClusterStatus } from "./list/render-cluster-status.ts";
export { type EngineReadiness, renderEngineReadiness } from "./list/render-engine-readiness.ts";
export { type EnvironmentState, renderEnvironmentReadiness } from "./list/render-environment-readiness.ts";
export { type ModelRow, renderModelList } from "./list/render-model-list.ts";
export { type RunRow, renderRunList } from "./list/render-run-list.ts";
export { runRowOf } from "./list/run-row-of.ts";
export { shortIdsOf } from "./list/short-ids.ts";
export type { MarkdownRenderer } from "./markdown/load-markdown.ts";
export { loadMarkdown } from "./markdown/load-markdown.ts";
export type { MarkdownStream } from "./markdown/markdown-stream.ts";
export type { MarkdownStreamOptions } from "./markdown/markdown-stream-options.ts";
export type { MarkdownStyle } from "./markdown/markdown-style.ts";
export { hasPerson } from "./questions/answer-prompt.ts";
export type { AnswerPrompt } from "./questions/prompt-queue.ts";
export type { Quote } from "./questions/quote.ts";
export { quote } from "./questions/quote.ts";
export { describeLeftOut, describeReferences } from "./report/change-notes.ts";
export type { FileChange } from "./report/diff-summary.ts";
export { readDiff, summariseDiff } from "./report/diff-summary.ts";
export { type ContractCase, renderContractResult, renderContractSummary } from "./report/render-contract-result.ts";
export { renderStacks } from "./report/render-stacks.ts";
export { type RunFacts, renderStoredRun } from "./report/render-stored-run.ts";
export { renderUndo, type UndoOutcome } from "./report/render-undo.ts";
export { createLineReader } from "./streams/create-line-reader.ts";
export { createStopRequests, type StopRequests } from "./streams/create-stop-requests.ts";
export { createTextInput, type InputProcess } from "./streams/create-text-input.ts";
export { createTextOutput } from "./streams/create-text-output.ts";
export { assertWritable, replaceOutput, writeJson } from "./streams/output-file.ts";
export type { KeySignals } from "./streams/read-keys.ts";
export { readKeys } from "./streams/read-keys.ts";
export type { KeyReader, Terminal, TerminalStream, TextInput, TextOutput } from "./streams/terminal.ts";
export { cutToWidth, displayWidth } from "./text/display-width.ts";
export { formatCost } from "./text/format-cost.ts";
export { formatDuration } from "./text/format-duration.ts";
export { formatTokens } from "./text/format-tokens.ts";
export { neutraliseControls, toPlainJson } from "./text/neutralise-controls.ts";
export { plural } from "./text/plural.ts";
export { renderTable, type TableOptions } from "./text/render-table.ts";
export { wrapLine } from "./text/wrap-line.ts";
export { describeCall } from "./view/describe-call.ts";
export type { EditLines } from "./view/edit-lines.ts";
export { editLinesOf } from "./view/edit-lines.ts";
export type { FooterInput, FooterLines } from "./view/footer-input.ts";
export type { FooterCursor, LiveScreen } from "./view/live-screen.ts";
export { createLiveScreen } from "./view/live-screen.ts";
export { createPlainView } from "./view/plain-view.ts";
export { showWait } from "./view/show-wait.ts";
export type { SubagentNames } from "./view/subagent-names.ts";
export { createSubagentNames } from "./view/subagent-names.ts";
export type { View } from "./view/view.ts";
export { SILENT_VIEW } from "./view/view.ts";
