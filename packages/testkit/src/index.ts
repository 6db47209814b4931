// Fakes that implement the interfaces of `@switchyard/contracts`.

export type { ManualClock } from "./clock/manual-clock.ts";
export { manualClock } from "./clock/manual-clock.ts";
export type { RecordingHost, RecordingHostOptions } from "./host/recording-host.ts";
export { recordingHost } from "./host/recording-host.ts";
export type { AnswerStep, FailureStep, ScriptedToolCall, ScriptStep } from "./model/script-step.ts";
export { answer, failure, reasoning, text, toolCall, toolCalls } from "./model/script-step.ts";
export type { ScriptedClient, ScriptedClientOptions } from "./model/scripted-client.ts";
export { scriptedClient } from "./model/scripted-client.ts";
