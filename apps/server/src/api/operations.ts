import { sessionInputSchema, sessionResultSchema } from "@switchyard/contracts/schemas";
import type { z } from "zod";
import {
  acceptedSchema,
  answerRunSchema,
  artifactListSchema,
  callerSchema,
  createRunSchema,
  forkRunSchema,
  interruptRunSchema,
  probeSchema,
  problemSchema,
  resumeRunSchema,
  runDetailSchema,
  runListSchema,
  runStatisticsSchema,
  runViewSchema,
  steerRunSchema,
  undoneRunSchema,
  undoRunSchema,
} from "./run-schemas.ts";

/** Names of the schemas that request and response bodies refer to. */
export type ApiSchema =
  | "SessionInput"
  | "SessionResult"
  | "CreateRun"
  | "SteerRun"
  | "AnswerRun"
  | "InterruptRun"
  | "ResumeRun"
  | "ForkRun"
  | "UndoRun"
  | "UndoneRun"
  | "Run"
  | "RunDetail"
  | "RunList"
  | "RunStatistics"
  | "Caller"
  | "ArtifactList"
  | "Accepted"
  | "Probe"
  | "Problem";

/** Schemas of request and response bodies, by name. */
export const API_SCHEMAS: Readonly<Record<ApiSchema, z.ZodType>> = {
  SessionInput: sessionInputSchema,
  SessionResult: sessionResultSchema,
  CreateRun: createRunSchema,
  SteerRun: steerRunSchema,
  AnswerRun: answerRunSchema,
  InterruptRun: interruptRunSchema,
  ResumeRun: resumeRunSchema,
  ForkRun: forkRunSchema,
  UndoRun: undoRunSchema,
  UndoneRun: undoneRunSchema,
  Run: runViewSchema,
  RunDetail: runDetailSchema,
  RunList: runListSchema,
  RunStatistics: runStatisticsSchema,
  Caller: callerSchema,
  ArtifactList: artifactListSchema,
  Accepted: acceptedSchema,
  Probe: probeSchema,
  Problem: problemSchema,
};

/** Response of an operation: JSON with a named schema, another media type, or no content. */
export type ApiResponse = { readonly description: string } & (
  | { readonly schema: ApiSchema }
  | { readonly mediaType: string }
  | { readonly isEmpty: true }
);

/** A parameter of an operation. */
interface ApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
}

/** Name of an operation. */
export type OperationId =
  | "createRun"
  | "listRuns"
  | "readStatistics"
  | "readCaller"
  | "showRun"
  | "deleteRun"
  | "watchRun"
  | "steerRun"
  | "answerRun"
  | "interruptRun"
  | "resumeRun"
  | "forkRun"
  | "undoRun"
  | "listArtifacts"
  | "readArtifact"
  | "readPatch"
  | "readMetrics";

/** An operation on runs. */
export interface Operation extends DescribedOperation {
  readonly id: OperationId;
}

/** Name of an operation outside the runs API. */
export type OtherOperationId = "runOnce" | "describe" | "isStarted" | "isAlive" | "isReady";

/** An operation as described in the API document. */
export interface DescribedOperation {
  readonly id: OperationId | OtherOperationId;
  readonly method: "GET" | "POST" | "DELETE";
  /** URL path with parameters in braces. The last parameter of an artifact's path may contain slashes. */
  readonly path: string;
  readonly description: string;
  readonly body?: ApiSchema;
  /** True if the request body may be a multipart form with files. */
  readonly takesFiles?: boolean;
  readonly parameters: readonly ApiParameter[];
  /** Success responses by status. */
  readonly answers: Readonly<Record<number, ApiResponse>>;
  /** Error statuses of the operation, in addition to the statuses of token checks: 401, 403 and 429. */
  readonly refusals: readonly number[];
}

const RUN_ID: ApiParameter = { name: "run_id", in: "path", description: "Id of the run." };
/** Parameters that filter runs. */
const FILTERS: readonly ApiParameter[] = [
  { name: "status", in: "query", description: "Only runs with one of these statuses, separated by commas." },
  { name: "engine", in: "query", description: "Only runs of this engine." },
  { name: "owner", in: "query", description: "Only runs of this owner." },
  { name: "parent_run_id", in: "query", description: "Only runs that were forked from this run." },
  {
    ...{ name: "search", in: "query" },
    description: "Only runs whose title, engine, model, id or owner contain all of these words. Ignores case.",
  },
  { name: "since", in: "query", description: "Only runs accepted at or after this time, ISO 8601." },
  { name: "until", in: "query", description: "Only runs accepted before this time, ISO 8601." },
];
const RUN = "/v1/runs/{run_id}";
const ACCEPTED: ApiResponse = { description: "The request was passed to the run.", schema: "Accepted" };

const WELL: ApiResponse = { description: "Yes.", schema: "Probe" };

/** Operations outside the runs API: running a task in a single request, the API description, and operator endpoints. */
export const OTHER_OPERATIONS: readonly DescribedOperation[] = [
  {
    ...{ id: "runOnce", method: "POST", path: "/v1/run", body: "SessionInput", takesFiles: true },
    description: "Runs a task and returns its result in one request: the protocol of custom engines over HTTP.",
    parameters: [],
    answers: { 200: { description: "The result, even if the engine failed.", schema: "SessionResult" } },
    refusals: [400, 413, 415, 500, 503],
  },
  {
    ...{ id: "describe", method: "GET", path: "/openapi.json", parameters: [] },
    description: "Returns this description.",
    answers: { 200: { description: "OpenAPI 3.1 document.", mediaType: "application/json" } },
    refusals: [],
  },
  {
    ...{ id: "isStarted", method: "GET", path: "/startupz", parameters: [], refusals: [] },
    description: "Startup probe: has the server started?",
    answers: { 200: WELL },
  },
  {
    ...{ id: "isAlive", method: "GET", path: "/livez", parameters: [], refusals: [] },
    description: "Liveness probe: does the server respond?",
    answers: { 200: WELL },
  },
  {
    ...{ id: "isReady", method: "GET", path: "/readyz", parameters: [], refusals: [] },
    description: "Readiness probe: does the server accept requests?",
    answers: {
      200: WELL,
      503: {
        description: "The server is stopping, or its state folder or audit log is not writable.",
        schema: "Probe",
      },
    },
  },
];

/** API operations on runs, and the metrics endpoint. */
export const OPERATIONS: readonly Operation[] = [
  {
    ...{ id: "createRun", method: "POST", path: "/v1/runs", body: "CreateRun", takesFiles: true },
    description:
      "Creates a run. The run is stored on disk before the response is sent, and starts when a slot is free.",
    parameters: [
      {
        name: "Idempotency-Key",
        in: "header",
        description: "1 to 255 visible characters. Repeating a request with the same key does not create another run.",
      },
    ],
    answers: {
      200: {
        description:
          "The request was a repetition. Returns the current state of the run that the first request created.",
        schema: "Run",
      },
      201: { description: "The run was created.", schema: "Run" },
    },
    refusals: [400, 413, 415, 422, 503],
  },
  {
    ...{ id: "listRuns", method: "GET", path: "/v1/runs" },
    description: "Lists runs, newest first by default: the caller's runs, or all runs with the role `admin`.",
    parameters: [
      { name: "limit", in: "query", description: "Maximum number of runs per page, 1 to 200. Default: 50." },
      {
        name: "cursor",
        in: "query",
        description: "`next_cursor` of the previous page, with the same filters and order.",
      },
      {
        ...{ name: "sort", in: "query" },
        description:
          "Order: `created`, `duration`, `cost` or `tokens`; `-` before it: descending. Default: `-created`.",
      },
      ...FILTERS,
    ],
    answers: { 200: { description: "A page of runs.", schema: "RunList" } },
    refusals: [400],
  },
  {
    ...{ id: "readStatistics", method: "GET", path: "/v1/statistics", parameters: FILTERS },
    description: "Counts runs, tokens and costs by day and engine, of the same runs as the list.",
    answers: { 200: { description: "One row per day and engine.", schema: "RunStatistics" } },
    refusals: [400],
  },
  {
    ...{ id: "readCaller", method: "GET", path: "/v1/caller", parameters: [] },
    description:
      "Returns the owner and the roles of the caller, and how many runs the owner may still create and start.",
    answers: { 200: { description: "The caller.", schema: "Caller" } },
    refusals: [],
  },
  {
    ...{ id: "showRun", method: "GET", path: RUN, parameters: [RUN_ID] },
    description: "Returns a run, with its result if the run has ended.",
    answers: { 200: { description: "The run.", schema: "RunDetail" } },
    refusals: [404],
  },
  {
    ...{ id: "deleteRun", method: "DELETE", path: RUN, parameters: [RUN_ID] },
    description: "Deletes a run and its files. A queued run leaves the queue. A run in progress is refused.",
    answers: { 204: { description: "The run was deleted.", isEmpty: true } },
    refusals: [404, 409],
  },
  {
    ...{ id: "watchRun", method: "GET", path: `${RUN}/events` },
    description:
      "Streams the events of a run until it ends, from the first event or after `Last-Event-ID`. Stored events arrive once and in order.",
    parameters: [
      RUN_ID,
      { name: "Last-Event-ID", in: "header", description: "Id of the last event that the client received." },
    ],
    answers: { 200: { description: "Server-sent events.", mediaType: "text/event-stream" } },
    refusals: [400, 404],
  },
  {
    ...{ id: "steerRun", method: "POST", path: `${RUN}/steer`, body: "SteerRun", parameters: [RUN_ID] },
    description: "Sends a message to the engine while it works.",
    answers: { 202: ACCEPTED },
    refusals: [400, 404, 409, 415],
  },
  {
    ...{
      id: "answerRun",
      method: "POST",
      path: `${RUN}/answer`,
      body: "AnswerRun",
      parameters: [RUN_ID],
    },
    description: "Answers a question of the engine.",
    answers: { 202: ACCEPTED },
    refusals: [400, 404, 409, 415],
  },
  {
    ...{ id: "interruptRun", method: "POST", path: `${RUN}/interrupt`, body: "InterruptRun" },
    description: "Interrupts a run. A queued run ends immediately.",
    parameters: [RUN_ID],
    answers: { 202: ACCEPTED },
    refusals: [400, 404, 409, 415],
  },
  {
    ...{
      id: "resumeRun",
      method: "POST",
      path: `${RUN}/resume`,
      body: "ResumeRun",
      parameters: [RUN_ID],
    },
    description:
      "Queues a run that was interrupted, lost its process or failed, so that it continues from its last checkpoint.",
    answers: { 202: { description: "The run is queued.", schema: "Run" } },
    refusals: [400, 404, 409, 415, 503],
  },
  {
    ...{ id: "forkRun", method: "POST", path: `${RUN}/fork`, body: "ForkRun", parameters: [RUN_ID] },
    description: "Creates a run that continues the conversation of a run that has ended, in a copy of its workspace.",
    answers: { 201: { description: "The new run was created.", schema: "Run" } },
    refusals: [400, 404, 409, 415, 503],
  },
  {
    ...{ id: "undoRun", method: "POST", path: `${RUN}/undo`, body: "UndoRun", parameters: [RUN_ID] },
    description: "Reverts the changes that a run which has ended made to its workspace: all of them, or none.",
    answers: { 200: { description: "The changes were reverted, or could be.", schema: "UndoneRun" } },
    refusals: [400, 404, 409, 415],
  },
  {
    ...{ id: "listArtifacts", method: "GET", path: `${RUN}/artifacts`, parameters: [RUN_ID] },
    description: "Lists the artifacts of a run that has ended.",
    answers: { 200: { description: "The artifacts of the run.", schema: "ArtifactList" } },
    refusals: [404],
  },
  {
    ...{ id: "readArtifact", method: "GET", path: `${RUN}/artifacts/{path}` },
    description: "Returns the bytes of an artifact.",
    parameters: [
      RUN_ID,
      { name: "path", in: "path", description: "Path of the artifact, from the list. Slashes are not encoded." },
    ],
    answers: { 200: { description: "Content of the artifact.", mediaType: "application/octet-stream" } },
    refusals: [404],
  },
  {
    ...{ id: "readPatch", method: "GET", path: `${RUN}/patch`, parameters: [RUN_ID] },
    description: "Returns the changes that a run which has ended made to its workspace, exactly, for `git apply`.",
    answers: { 200: { description: "The patch; empty if nothing was changed.", mediaType: "text/x-patch" } },
    refusals: [404],
  },
  {
    ...{ id: "readMetrics", method: "GET", path: "/metrics", parameters: [] },
    description: "Returns the server's metrics in the Prometheus text format.",
    answers: { 200: { description: "Metrics in the Prometheus text format.", mediaType: "text/plain" } },
    refusals: [],
  },
];
