// For users: show a run on a terminal, ask its questions, print its ending.

// For other front ends: the parts of which these are made.
export type { ApprovalSubject } from "./approval/approval-subject.ts";
export { approvalSubjectOf } from "./approval/approval-subject.ts";
export { suggestRule } from "./approval/suggest-rule.ts";
export { hasPerson } from "./questions/answer-prompt.ts";
export type { Questions, QuestionsOptions } from "./questions/open-questions.ts";
export { openQuestions } from "./questions/open-questions.ts";
export type { Quote } from "./questions/quote.ts";
export { quote } from "./questions/quote.ts";
export { describeLeftOut, describeReferences } from "./report/change-notes.ts";
export type { FileChange } from "./report/diff-summary.ts";
export { readDiff, summariseDiff } from "./report/diff-summary.ts";
export type { NextStep } from "./report/print-ending.ts";
export { printEnding, printReportError } from "./report/print-ending.ts";
export { printError } from "./report/print-error.ts";
export { createLineReader } from "./streams/create-line-reader.ts";
export { createTextOutput } from "./streams/create-text-output.ts";
export type { KeySignals } from "./streams/read-keys.ts";
export { readKeys } from "./streams/read-keys.ts";
export type { KeyReader, Terminal, TerminalStream, TextInput, TextOutput } from "./streams/terminal.ts";
export { cutToWidth, displayWidth } from "./text/display-width.ts";
export { formatCost } from "./text/format-cost.ts";
export { formatDuration } from "./text/format-duration.ts";
export { neutraliseControls, toPlainJson } from "./text/neutralise-controls.ts";
export { plural } from "./text/plural.ts";
export type { Progress, ViewOptions } from "./view/create-view.ts";
export { createView } from "./view/create-view.ts";
export { describeCall } from "./view/describe-call.ts";
export type { LiveScreen } from "./view/live-screen.ts";
export { createLiveScreen } from "./view/live-screen.ts";
export { createPlainView } from "./view/plain-view.ts";
export type { SubagentNames } from "./view/subagent-names.ts";
export { createSubagentNames } from "./view/subagent-names.ts";
export type { View } from "./view/view.ts";
export { SILENT_VIEW } from "./view/view.ts";
export type { StartSession, StopRequest, WatchingProcess, WatchOptions } from "./view/watch-session.ts";
export { watchSession } from "./view/watch-session.ts";
