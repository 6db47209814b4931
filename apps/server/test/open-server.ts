import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Engine,
  SESSION_INPUT,
  SESSION_RESULT,
  type SessionInput,
  type SessionResult,
} from "@switchyard/contracts";
import { openConfiguredEngine } from "@switchyard/runner";
import { onTestFinished } from "vitest";
import { type RequestLine, type RunLine, type RunningServer, type ServerOptions, startServer } from "../src/index.ts";

/** Server in this process, with its log lines and errors. */
export interface OpenedServer extends RunningServer {
  readonly lines: RequestLine[];
  readonly runLines: RunLine[];
  readonly errors: unknown[];
  readonly state: string;
}

/** Registers a function that releases a resource, to be called in reverse order. Default: after the test. */
export type OnFinished = (release: () => Promise<void>) => void;

/** Creates a folder that is removed after the test. */
export async function makeFolder(onFinished: OnFinished = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-server-"));
  onFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Starts a server, and drains it after the test. */
export async function openServer(
  engine: Engine,
  options: Partial<ServerOptions> = {},
  onFinished: OnFinished = onTestFinished,
): Promise<OpenedServer> {
  const state = options.stateDirectory ?? join(await makeFolder(onFinished), "state");
  const lines: RequestLine[] = [];
  const runLines: RunLine[] = [];
  const errors: unknown[] = [];
  const server = await startServer({
    session: { engine, engineName: "served" },
    stateDirectory: state,
    openEnvironment: (root) => ({ type: "local", root, env: process.env }),
    log: (line) => void (line.message === "request" ? lines.push(line) : runLines.push(line)),
    onError: (error) => errors.push(error),
    ...options,
  });
  onFinished(() => server.drain());
  return { ...server, lines, runLines, errors, state };
}

/** Creates an engine whose result is computed from its input. */
export function answering(answer: (input: SessionInput) => SessionResult | Promise<SessionResult>): Engine {
  return {
    async execute(_, __, board) {
      const input = board.get(SESSION_INPUT);
      if (input === undefined) throw new Error("There is no input.");
      board.set(SESSION_RESULT, await answer(input));
      return board;
    },
  };
}

/** Creates an engine that runs `node SCRIPT INPUT OUTPUT`. */
export async function commandEngine(script: string, custom: Record<string, unknown> = {}): Promise<Engine> {
  return customEngine({
    transport: "local",
    ...custom,
    local: {
      command: process.execPath,
      args: [script, "$" + "{input_file}", "$" + "{output_file}"],
      output_file: "$" + "{output_file}",
    },
  });
}

/** Creates a custom engine from its configuration block. */
export async function customEngine(custom: Record<string, unknown>): Promise<Engine> {
  return (await openConfiguredEngine({ name: "served", custom }, { env: {} })).engine;
}

/** Session input with one user message. */
export const ASK: SessionInput = { messages: [{ role: "user", content: "Do it." }] };
export const DONE: SessionResult = { exit_code: 0, final_message: "done" };

/** Response of a server. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Sends a body to `/v1/run`. */
export async function post(
  { url }: Pick<RunningServer, "url">,
  body: string | FormData | Uint8Array,
  { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Answer> {
  const defaultHeaders = body instanceof FormData ? {} : { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/run`, {
    method: "POST",
    body,
    headers: { ...defaultHeaders, ...headers },
    signal: signal ?? null,
  });
  return { status: response.status, headers: response.headers, body: toRecord(await response.json()) };
}

/** Sends a SessionInput. */
export function ask(server: Pick<RunningServer, "url">, input: Partial<SessionInput> = {}): Promise<Answer> {
  return post(server, JSON.stringify({ ...ASK, ...input }));
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
