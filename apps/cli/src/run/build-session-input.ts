import { resolve } from "node:path";
import type { SessionInput } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";
import { readJson } from "../input/read-json.ts";
import { readTask } from "../input/task-text.ts";
import { usageError } from "../program/usage-error.ts";
import type { RunCommandOptions } from "./run-command-options.ts";
import { withInputOptions } from "./with-input-options.ts";

/**
 * Builds the session input from a SessionInput file or a prompt, and applies the command-line options. Throws
 * `usage.invalid` and `input.*`.
 */
export async function buildSessionInput(context: CommandContext, options: RunCommandOptions): Promise<SessionInput> {
  const input =
    options.input === undefined ? await inputOfPrompt(context, options) : await inputOfFile(context, options);
  const workspace = resolve(context.workingDirectory, options.workspace ?? input.workspace ?? ".");
  return withInputOptions(context, options, { ...input, workspace });
}

async function inputOfPrompt(context: CommandContext, options: RunCommandOptions): Promise<SessionInput> {
  const takesPiped = options.takesPiped === true || (options.prompt.trim() === "" && !context.stdin.isTerminal);
  const prompt = await readTask(context, { prompt: options.prompt, takesPiped });
  if (prompt === "")
    throw usageError("No task was given. Pass it as an argument of `run`, on standard input or with --input.", "run");
  const images =
    options.image === undefined
      ? []
      : await (await import("@switchyard/runner")).readImages(options.image, context.workingDirectory);
  return { messages: [{ role: "user", content: prompt, ...(images.length === 0 ? {} : { images }) }] };
}

async function inputOfFile(context: CommandContext, options: RunCommandOptions): Promise<SessionInput> {
  const path = options.input ?? "-";
  if (options.prompt.trim() !== "" || options.takesPiped === true)
    throw usageError("Give either a prompt or --input, not both.", "run");
  if (options.image !== undefined)
    throw usageError("--image requires a prompt and cannot be used with --input.", "run");
  // The schemas are loaded only if needed: loading takes longer than the rest of a command, and a prompt needs none.
  const { checkSessionInput } = await import("@switchyard/contracts/schemas");
  const checked = checkSessionInput(await readJson(context, path));
  if (checked.valid) return checked.value;
  const problem = checked.problems.join("; ");
  throw new EngineError("input.invalid", {
    path: path === "-" ? "standard input" : path,
    expected: "SessionInput",
    problem,
  });
}
