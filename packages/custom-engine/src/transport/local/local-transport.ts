import {
  EngineError,
  type ExecResult,
  type ExecutionEnvironment,
  MAX_RESPONSE_BYTES,
  messageOf,
} from "@switchyard/contracts";
import { type Secret, secret } from "@switchyard/secrets";
import { assertNoSecret } from "../../call/command-line-rules.ts";
import type { LocalConfig } from "../../config/custom-engine-config.ts";
import { renderTemplate } from "../../template/render-template.ts";
import type { Template } from "../../template/template.ts";
import type { Call, PreparedCall, Transport, TransportResponse } from "../transport.ts";
import { readOutputFile } from "./read-output-file.ts";
import { entryAt, toPathError, type WorkspacePath, workspacePath } from "./workspace-file.ts";

/** Default path of the input file. */
const DEFAULT_INPUT_FILE = "inputs/messages.json";
/** Default value of `${output_file}`. */
const DEFAULT_OUTPUT_FILE = "outputs/session-result.json";

/** Number of characters that are stored from the end of standard error. */
const MAX_STDERR_CHARS = 64 * 1024;

/** A rendered command. */
interface RenderedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: WorkspacePath;
  readonly env: Readonly<Record<string, Secret>>;
  readonly input: WorkspacePath;
  /** Path of the result file; `undefined` if the result is read from standard output. */
  readonly output?: WorkspacePath | undefined;
}

/** Creates a transport that runs a command in the session's environment. See custom-engine: local transport. */
export function createLocalTransport(config: LocalConfig): Transport {
  return {
    async prepare(call): Promise<PreparedCall> {
      const command = renderCommand(config, call);
      const { environment } = call;
      if ((await entryAt(command.cwd, environment)) !== "directory") {
        throw new EngineError("config.invalid", { field: command.cwd.field, problem: "the folder does not exist" });
      }
      for (const file of [command.input, ...(command.output === undefined ? [] : [command.output])]) {
        const found = await entryAt(file, environment);
        if (found === undefined || found === "file") continue;
        throw new EngineError("config.invalid", { field: file.field, problem: `${file.path} is not a file` });
      }
      const engineFiles = [command.input.path, ...(command.output === undefined ? [] : [command.output.path])];
      return { engineFiles, run: () => runCommand(command, call) };
    },
  };
}

function renderCommand(config: LocalConfig, call: Call): RenderedCommand {
  const { environment, values } = call;
  const path = (template: Template | undefined, standard: string, name: string): WorkspacePath => {
    const field = `engine.custom.local.${name}`;
    const written = template === undefined ? standard : renderTemplate(template, pathValues);
    assertNoSecret(written, field, call.secrets);
    return workspacePath(written, field, environment);
  };
  const pathValues = {
    ...values,
    texts: { ...values.texts, input_file: DEFAULT_INPUT_FILE, output_file: DEFAULT_OUTPUT_FILE },
  };
  const input = path(config.inputFile, DEFAULT_INPUT_FILE, "input_file");
  const output = path(config.outputFile, DEFAULT_OUTPUT_FILE, "output_file");
  const cwd = path(config.cwd, environment.workingDirectory, "cwd");
  const texts = { ...values.texts, input_file: input.path, output_file: output.path };
  const text = (template: Template, field: string): string => {
    const rendered = renderTemplate(template, { ...values, texts });
    assertNoSecret(rendered, field, call.secrets);
    return rendered;
  };
  const command = text(config.command, "engine.custom.local.command");
  if (command.trim() === "") {
    throw new EngineError("config.invalid", { field: "engine.custom.local.command", problem: "it is empty" });
  }
  const args = config.args.map((arg, index) => text(arg, `engine.custom.local.args[${index}]`));
  const env = Object.entries(call.config.env).map(([name, value]) => [
    name,
    secret(renderTemplate(value, { ...values, texts })),
  ]);
  return {
    ...{ argv: [command, ...args], cwd, input, env: Object.fromEntries(env) },
    ...(config.outputFile === undefined ? {} : { output }),
  };
}

async function runCommand(command: RenderedCommand, call: Call): Promise<TransportResponse> {
  const { environment } = call;
  const { input, output } = command;
  const written = JSON.stringify(call.input);
  const isShared = output !== undefined && isSameFile(input, output, environment);
  if (output !== undefined && !isShared) await removeStaleOutput(output, call);
  await makeFiles(command, written, environment);
  const flooded = new AbortController();
  const listening = listenTo(call, output === undefined ? () => flooded.abort() : undefined);
  const result = await execute(command, call, {
    signal: AbortSignal.any([call.signal, flooded.signal]),
    onOutput: listening.onOutput,
  });
  const { isFlooded, stderr } = listening.ended();
  const failure = failureOf(result, call, output === undefined && isFlooded);
  const found =
    output === undefined ? undefined : await readOutputFile(output, environment, isShared ? written : undefined);
  if (call.config.responseFormat === "text" || found === undefined) {
    const tooLarge = isFlooded
      ? new EngineError("transport.response_too_large", { maxBytes: MAX_RESPONSE_BYTES })
      : undefined;
    return responseOf(result, {
      text: isFlooded ? "" : result.stdout,
      stderr,
      failure: failure ?? tooLarge,
    });
  }
  if (found.failure !== undefined) return responseOf(result, { text: "", stderr, failure: failure ?? found.failure });
  return responseOf(result, { text: found.text, stderr, failure });
}

interface ListenResult {
  onOutput(stream: "stdout" | "stderr", text: string): void;
  /** Stops collecting output and returns the collected output. */
  ended(): { readonly isFlooded: boolean; readonly stderr: string };
}

/** Forwards output, stores the end of standard error, and calls `onFlood` if standard output exceeds the limit. */
function listenTo({ masker, listener }: Call, onFlood: (() => void) | undefined): ListenResult {
  // Standard error is masked before it is truncated, because a partial secret would not be recognised.
  const errors = masker.stream();
  let stderr = "";
  let stdoutChars = 0;
  return {
    onOutput(stream, text) {
      if (stream === "stderr") stderr = (stderr + errors.write(text)).slice(-MAX_STDERR_CHARS);
      else stdoutChars += text.length;
      if (stdoutChars > MAX_RESPONSE_BYTES) onFlood?.();
      listener.output(stream, text);
    },
    ended: () => ({
      isFlooded: stdoutChars > MAX_RESPONSE_BYTES,
      stderr: (stderr + errors.end()).slice(-MAX_STDERR_CHARS),
    }),
  };
}

function responseOf(
  result: ExecResult,
  rest: Pick<TransportResponse, "text" | "stderr" | "failure">,
): TransportResponse {
  return { exitCode: result.exitCode, endsByCode: true, ...rest };
}

/** Writes the input file and creates the folder of the result file. */
async function makeFiles(
  { input, output }: RenderedCommand,
  written: string,
  environment: ExecutionEnvironment,
): Promise<void> {
  try {
    await environment.writeFile(input.path, written);
  } catch (error) {
    throw toPathError(error, input);
  }
  if (output === undefined) return;
  try {
    await environment.makeDirectory(output.path.slice(0, output.path.lastIndexOf("/")));
  } catch (error) {
    throw toPathError(error, output);
  }
}

interface Listening {
  readonly signal: AbortSignal;
  onOutput(stream: "stdout" | "stderr", text: string): void;
}

async function execute(command: RenderedCommand, call: Call, { signal, onOutput }: Listening): Promise<ExecResult> {
  const set = Object.fromEntries(Object.entries(command.env).map(([name, value]) => [name, value.reveal()]));
  try {
    return await call.environment.exec(command.argv, {
      ...{ cwd: command.cwd.path, env: { policy: "core", set }, signal },
      ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
      maxOutputChars: MAX_RESPONSE_BYTES,
      onOutput: ({ stream, text }) => onOutput(stream, text),
    });
  } catch (error) {
    const isMissing = EngineError.is(error, "environment.command_not_found");
    if (!isMissing && !EngineError.is(error, "environment.spawn_failed")) throw toPathError(error, command.cwd);
    const [program] = command.argv;
    const hint = isMissing && /\s/u.test(program.trim()) ? "; its arguments belong into engine.custom.local.args" : "";
    throw new EngineError("transport.start_failed", { problem: `${messageOf(error)}${hint}` }, { cause: error });
  }
}

function failureOf(result: ExecResult, call: Call, isFlooded: boolean): EngineError | undefined {
  if (result.timedOut) return new EngineError("transport.timeout", { timeoutMs: call.timeoutMs });
  if (isFlooded) return new EngineError("transport.response_too_large", { maxBytes: MAX_RESPONSE_BYTES });
  if (result.aborted || call.signal.aborted) {
    return new EngineError("transport.failed", { problem: "it was stopped" }, { cause: call.signal.reason });
  }
  return undefined;
}

/** Returns true if two paths name the same file. Compares only the text of the paths, not the files. */
function isSameFile(left: WorkspacePath, right: WorkspacePath, environment: ExecutionEnvironment): boolean {
  const relative = (path: string): string => {
    const root = `${environment.workingDirectory}/`;
    return (path.startsWith(root) ? path.slice(root.length) : path)
      .split("/")
      .filter((step) => step !== "." && step !== "")
      .join("/");
  };
  return relative(left.path) === relative(right.path);
}

/** Removes a result file that an earlier run left. */
async function removeStaleOutput(output: WorkspacePath, { environment, listener }: Call): Promise<void> {
  if ((await entryAt(output, environment)) !== "file") return;
  await environment.remove(output.path);
  listener.notify("stale_result_cleared", `A result file of an earlier run was removed: ${output.path}`);
}
