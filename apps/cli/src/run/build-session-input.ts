import { resolve } from "node:path";
import type { SessionInput } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { isEngineFile } from "../engine/engine-file.ts";
import { readJson } from "../input/read-json.ts";
import { readTask } from "../input/task-text.ts";
import { usageError } from "../program/usage-error.ts";
import type { World } from "../world/world.ts";
import { readImages } from "./read-images.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * The session that the options ask for: a SessionInput file or a prompt, with the options on top. Throws
 * `usage.invalid`, `input.*`.
 */
export async function buildSessionInput(world: World, options: RunOptions): Promise<SessionInput> {
  const input = options.input === undefined ? await inputOfPrompt(world, options) : await inputOfFile(world, options);
  // The configuration of an engine says itself which model it wants.
  const { configured = {} } = options;
  const standard = isEngineFile(options.engine) ? undefined : world.env["SWITCHYARD_MODEL"] || configured.model;
  const model = options.model ?? input.model ?? standard;
  const maxTurns = options.maxTurns ?? input.max_turns ?? configured.maxTurns;
  const timeout = options.timeout ?? input.timeout_seconds ?? configured.timeout;
  const retryFor = options.retryFor ?? input.retry_for_seconds ?? configured.retryFor;
  return {
    ...input,
    workspace: resolve(world.workingDirectory, options.workspace ?? input.workspace ?? "."),
    ...(model === undefined ? {} : { model }),
    ...(maxTurns === undefined ? {} : { max_turns: maxTurns }),
    ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
    ...(retryFor === undefined ? {} : { retry_for_seconds: retryFor }),
  };
}

async function inputOfPrompt(world: World, options: RunOptions): Promise<SessionInput> {
  const takesPiped = options.takesPiped === true || (options.prompt.trim() === "" && !world.stdin.isTerminal);
  const prompt = await readTask(world, { prompt: options.prompt, takesPiped });
  if (prompt === "") throw usageError("There is no task: write it behind `run`, pipe it in, or use --input.", "run");
  const images = options.image === undefined ? [] : await readImages(world, options.image);
  return { messages: [{ role: "user", content: prompt, ...(images.length === 0 ? {} : { images }) }] };
}

async function inputOfFile(world: World, options: RunOptions): Promise<SessionInput> {
  const path = options.input ?? "-";
  if (options.prompt.trim() !== "" || options.takesPiped === true)
    throw usageError("Give either a prompt or --input, not both.", "run");
  if (options.image !== undefined) throw usageError("--image goes with a prompt, not with --input.", "run");
  // The schemas take longer to load than the rest of a command; a prompt needs none.
  const { checkSessionInput } = await import("../input/check-document.ts");
  const checked = checkSessionInput(await readJson(world, path));
  if (checked.valid) return checked.value;
  const problem = checked.problems.join("; ");
  throw new EngineError("input.invalid", {
    path: path === "-" ? "standard input" : path,
    expected: "SessionInput",
    problem,
  });
}
