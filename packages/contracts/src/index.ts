// Exports for users: the wire contract, reports, events and errors.

export type {
  Accepted,
  AnswerRun,
  ApprovalRequest,
  ArtifactList,
  ArtifactView,
  BudgetView,
  CallerView,
  CreateRun,
  ForkRun,
  InterruptRun,
  OpenQuestion,
  Problem,
  RunActivity,
  RunDetail,
  RunList,
  RunStatistics,
  RunStatisticsRow,
  RunView,
  SteerRun,
  UndoneRun,
  UndoRun,
} from "./api/run-api.ts";
export { certificateProblem } from "./errors/certificate-problem.ts";
export type { ErrorDetails, WireError } from "./errors/engine-error.ts";
export { EngineError, findEngineError, hasErrorClass, toEngineError } from "./errors/engine-error.ts";
export { ENGINE_ERRORS } from "./errors/engine-errors.ts";
export type { ErrorClass } from "./errors/error-class.ts";
export { HTTP_STATUS_BY_CLASS } from "./errors/error-class.ts";
export type { ErrorCode, ErrorRow, ExitCode } from "./errors/error-table.ts";
export { ERROR_CODES, errorRow, isErrorCode } from "./errors/error-table.ts";
export { errorText, toSentence } from "./errors/error-text.ts";
export type { ExitCodeRow } from "./errors/exit-codes.ts";
export { EXIT_CODES } from "./errors/exit-codes.ts";
export { fileProblem } from "./errors/file-problem.ts";
export { FOREIGN_ERRORS } from "./errors/foreign-errors.ts";
export { GATEWAY_ERRORS } from "./errors/gateway-errors.ts";
export { httpStatusOf } from "./errors/http-status-of.ts";
export { messageOf } from "./errors/message-of.ts";
export { MODEL_ERRORS } from "./errors/model-errors.ts";
export { SERVER_ERRORS } from "./errors/server-errors.ts";
export { SURFACE_ERRORS } from "./errors/surface-errors.ts";
export { TOOL_ERRORS } from "./errors/tool-errors.ts";
export { WEB_ERRORS } from "./errors/web-errors.ts";
export type { Envelope, EnvelopeOf } from "./events/envelope.ts";
export { HEADER } from "./events/envelope.ts";
export type {
  ApprovalPayload,
  AssistantTextEndPayload,
  CheckpointPayload,
  ControlPayload,
  EventPayloads,
  EventType,
  InterruptPayload,
  ModelFallbackPayload,
  ModelRequestRefusedPayload,
  ModelRetriedPayload,
  NetworkRequestPayload,
  NoticePayload,
  ProcessingEndPayload,
  PromptPayload,
  ReplyPayload,
  RetryPayload,
  RunEndPayload,
  RunStartPayload,
  RunStatusPayload,
  SessionEndPayload,
  SessionReplacedPayload,
  SessionStartPayload,
  StepPayload,
  StreamDeltaPayload,
  SubagentPayload,
  TaskPayload,
  TextPayload,
  TokenDeltaPayload,
  ToolCallEndPayload,
  ToolCallStartPayload,
  ToolOutputDeltaPayload,
  TurnLimitPayload,
  UsagePayload,
} from "./events/event-payloads.ts";
export type { EventEmitter, EventRow, SubjectKind } from "./events/event-table.ts";
export { EVENT_TABLE, EVENT_TYPES, isEventType } from "./events/event-table.ts";
export { MAX_INLINE_BYTES, MAX_INLINE_TOTAL_BYTES, MAX_RESPONSE_BYTES } from "./session/inline-bounds.ts";
export type { RunPlacement, RunRecord } from "./session/run-record.ts";
export type { RunStatus } from "./session/run-status.ts";
export { RESUMABLE_RUN_STATUSES, TERMINAL_RUN_STATUSES } from "./session/run-status.ts";
export type {
  ScriptJudgeAnswer,
  ScriptJudgeFile,
  ScriptJudgeInput,
  ScriptJudgeTurn,
} from "./session/script-judge.ts";
export type { SessionHandle } from "./session/session-handle.ts";
export type { SessionInput } from "./session/session-input.ts";
export type {
  SessionImage,
  SessionMessage,
  SessionRole,
  TranscriptMessage,
  TranscriptToolCall,
  TranscriptToolResult,
} from "./session/session-message.ts";
export type {
  ArchivedArtifact,
  FailedAttempt,
  ModelFallback,
  ModelUse,
  OmissionReason,
  OmittedFile,
  ReferenceChange,
  RunTiming,
  SessionReport,
} from "./session/session-report.ts";
export type { SessionArtifactFile, SessionArtifacts, SessionResult } from "./session/session-result.ts";
export type { UsageView } from "./session/usage-view.ts";
export { toUsageView } from "./session/usage-view.ts";
export type { GitSource, WorkspaceSource } from "./session/workspace-source.ts";

// Exports for implementers: engines, hosts, environments, adapters and model clients.

export type {
  AdapterCapabilities,
  AgentAdapter,
  AgentMcpServer,
  AgentModelAccess,
  AgentPermissionRequest,
  AgentSession,
  RunTurnOptions,
  StartAgentSessionOptions,
  TurnResult,
} from "./adapter/agent-adapter.ts";
export type { AgentEvent, AgentEventType, TurnExitReason } from "./adapter/agent-event.ts";
export { AGENT_EVENT_TYPES } from "./adapter/agent-event.ts";
export { ATTRIBUTE } from "./engine/attribute.ts";
export type { Board, BoardSnapshot, Cloneable } from "./engine/board.ts";
export { MAIN_CHANNEL } from "./engine/board.ts";
export type { BoardKey, DroppedArtifact } from "./engine/board-key.ts";
export {
  ARTIFACT_ORIGINS,
  boardKey,
  DROPPED_ARTIFACTS,
  ENGINE_FILES,
  SESSION_INPUT,
  SESSION_RESULT,
} from "./engine/board-key.ts";
export type {
  Checkpoint,
  CheckpointDeleter,
  CheckpointLister,
  CheckpointStore,
  ResumeContext,
} from "./engine/checkpoint.ts";
export type {
  ControlMessage,
  ControlSource,
  Dependencies,
  HistoryStore,
  ModelBudgetSource,
  ModelCallRecorder,
  RemainingModelBudget,
  SecretSink,
} from "./engine/dependencies.ts";
export { DEPENDENCY } from "./engine/dependencies.ts";
export {
  isControlSource,
  isEffectJournal,
  isExecutionEnvironment,
  isHistoryStore,
  isModelBudgetSource,
  isOutputSpool,
  isSecretSink,
  isSharedModelBudget,
  isToolSource,
} from "./engine/dependency-guards.ts";
export type { EffectJournal, EffectStatus, IntendedEffect } from "./engine/effect-journal.ts";
export type { Capabilities, Engine } from "./engine/engine.ts";
export type {
  Checkpointer,
  Host,
  HostMiddleware,
  Interrupter,
  Publisher,
  UsageReporter,
  UserPrompter,
} from "./engine/host.ts";
export type { Cause, Interrupt, InterruptSource } from "./engine/interrupt.ts";
export type { Run } from "./engine/run.ts";
export type { BudgetAmount, BudgetReservation, SharedModelBudget } from "./engine/shared-budget.ts";
export type { UserPrompt, UserReply } from "./engine/user-prompt.ts";
export type {
  DirectoryEntry,
  EntryKind,
  ExecutionEnvironment,
  FileContent,
  FileStat,
  ReadBytesOptions,
  ReadFileOptions,
} from "./environment/execution-environment.ts";
export type { ExposedSocket } from "./environment/exposed-socket.ts";
export type {
  EnvironmentPolicy,
  EnvironmentVariables,
  ExecOptions,
  ExecResult,
  OutputChunk,
  SpawnedProcess,
  SpawnOptions,
} from "./environment/process.ts";
export type { GlobOptions, GrepMatch, GrepOptions, GrepResult } from "./environment/search.ts";
export type { FoundRepository } from "./git/find-repository.ts";
export { findRepositoryArgv, findRepositoryScript, parseFoundRepository } from "./git/find-repository.ts";
export { gitMessage } from "./git/git-message.ts";
export { gitUrlProblem, isGitRef, normaliseGitUrl } from "./git/git-source.ts";
export type { GitSetting } from "./git/guarded-git.ts";
export {
  disableGitFilters,
  GIT_GUARD,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  guardedGit,
  toGitVariables,
} from "./git/guarded-git.ts";
export type { Client } from "./model/client.ts";
export type { Message, MessageRole } from "./model/message.ts";
export { textMessage, textOf } from "./model/message.ts";
export type { ModelApi } from "./model/model-api.ts";
export type { ModelRequest, ResponseFormat, RetryNotice, ToolChoice, ToolDefinition } from "./model/model-request.ts";
export type { FinishReason, ModelResponse, RateLimitInfo } from "./model/model-response.ts";
export { toolCallsOf } from "./model/model-response.ts";
export type { ModelRoute } from "./model/model-route.ts";
export type {
  AudioPart,
  DataPart,
  DocumentPart,
  ImagePart,
  MediaSource,
  Part,
  ProviderMetadata,
  RedactedThinkingPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  UnknownPart,
} from "./model/part.ts";
export type { StreamEvent } from "./model/stream-event.ts";
export type { Usage } from "./model/usage.ts";
export { addUsage, NO_USAGE } from "./model/usage.ts";
export { areRetriesExhausted, markRetriesExhausted } from "./retry/retries-exhausted.ts";
export type { RetryFacts } from "./retry/retry-delay.ts";
export { retryDelayMs } from "./retry/retry-delay.ts";
export type { FullRetryPolicy, RetryLevel, RetryOptions, RetryPolicy } from "./retry/retry-policy.ts";
export { RETRY_DEFAULTS, toRetryPolicy } from "./retry/retry-policy.ts";
export { waitForRetry } from "./retry/wait-for-retry.ts";
export type { BudgetCount, BudgetHold, BudgetState, BudgetUse, BudgetWatch } from "./store/budget-state.ts";
export type { DocumentStore, StoredDocument } from "./store/document-store.ts";
export type {
  ClusterFile,
  ClusterFolder,
  ClusterWorker,
  DeclinedRun,
  DeclineReason,
  FolderRule,
  FollowedEvents,
  FollowOptions,
  RepositoryRule,
  RunChange,
  RunCluster,
  RunControl,
  RunIncrement,
  RunRequestOptions,
  UndoRequest,
} from "./store/run-cluster.ts";
export { DECLINE_REASONS } from "./store/run-cluster.ts";
export type { RunRequest } from "./store/run-request.ts";
export type {
  AcquireOptions,
  Durability,
  EventText,
  GarbageOptions,
  ListedRun,
  RunLease,
  RunStore,
  RunWriter,
  StoredRun,
} from "./store/run-store.ts";
export type {
  QueuedTask,
  ReleaseOptions,
  TaskAttempt,
  TaskLease,
  TaskRecord,
  WorkQueue,
} from "./store/work-queue.ts";

// Exports for implementers: tools that a model may call.

export { closestWord } from "./text/closest-word.ts";
export { decodeText } from "./text/decode-text.ts";
export { hasControlCharacter } from "./text/has-control-character.ts";
export { replaceHiddenCharacters } from "./text/hidden-characters.ts";
export { isoTime } from "./time/iso-time.ts";
export type {
  BackgroundCommand,
  BackgroundCommandLine,
  BackgroundCommands,
  BackgroundOutput,
} from "./tool/background-commands.ts";
export type { OutputLimits, TruncationMode } from "./tool/output-limits.ts";
export type { OutputReference, OutputSpool, SpooledOutput } from "./tool/output-spool.ts";
export type {
  RegisteredTool,
  ToolArguments,
  ToolCallContext,
  ToolEffects,
  ToolExecutor,
  ToolOutput,
  ToolRevision,
  ToolTargets,
} from "./tool/registered-tool.ts";
export type { SubagentControl, SubagentResult, SubagentStatus, SubagentTask } from "./tool/subagent-control.ts";
export type { ToolSource } from "./tool/tool-source.ts";
export type { ToolSubject } from "./tool/tool-subject.ts";
export { AGENT_TOOLS, toolSubjectOf } from "./tool/tool-subject.ts";
export type {
  WebFetcher,
  WebFetchOptions,
  WebPage,
  WebSearcher,
  WebSearchOptions,
  WebSearchResult,
} from "./tool/web-access.ts";
