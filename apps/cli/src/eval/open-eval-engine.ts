import { EngineError } from "@switchyard/contracts";
import type { EngineRequest } from "@switchyard/engine-catalog";
import {
  type EngineChoice as EvalChoice,
  type EvalEngine,
  engineFactsOf,
  type OpenEvalEngine,
} from "@switchyard/evaluation";
import { isEngineFile, PERMISSION_MODES, toApprovalPolicy } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { readEngineFile } from "../engine/engine-file.ts";
import { openEngine } from "../engine/open-engine.ts";
import type { EvalOptions } from "./eval-options.ts";

/** Name of an engine whose inline configuration block has no name. */
const UNNAMED = "engine";

/**
 * Returns the function that opens the engines of an evaluation. The evaluation specifies each engine by a built-in
 * engine's name, the path of an engine file, or an inline configuration block. Opening rejects with the errors of
 * `openEngine`.
 */
export function createEngineOpener(context: CommandContext, options: EvalOptions): OpenEvalEngine {
  const { mode } = options;
  // No user approves tool calls, so calls that need an approval are denied.
  const permissions =
    mode === undefined ? {} : { mode, approval: toApprovalPolicy({ approve: PERMISSION_MODES[mode] }) };
  return async (spec, equipment) => {
    const choice = {
      ...(await toChoice(context, spec, options)),
      mcpServers: equipment?.mcpServers,
      // The built-in agent has all permissions too, so that the engines are compared under equal conditions.
      unattended: true,
      ...{ direct: options.direct, env: options.env },
      ...permissions,
      // The workspace of a run is a copy that the evaluation prepared, so its skills are trusted.
      skills: { trusted: true },
    };
    const { engine, engineName, model, secrets } = await openEngine(context, choice);
    if (typeof engine === "string") throw new EngineError("engine.not_found", { engine, known: [] });
    const opened: EvalEngine = {
      name: engineName ?? UNNAMED,
      engine,
      model,
      secrets,
      ...engineFactsOf(choice.engineDocument ?? choice.engine),
    };
    return opened;
  };
}

async function toChoice(
  context: CommandContext,
  spec: EvalChoice["spec"],
  options: EvalOptions,
): Promise<EngineRequest> {
  const model = options.model ?? (context.env["SWITCHYARD_MODEL"] || undefined);
  const { baseUrl } = options;
  const trustedProject = options.trustWorkspace === true ? context.workingDirectory : undefined;
  if (typeof spec !== "string") return { engine: UNNAMED, engineDocument: withModelMap(spec), trustedProject };
  if (!isEngineFile(spec)) return { engine: spec, model, baseUrl, trustedProject };
  const { document } = await readEngineFile(context, spec);
  return { engine: UNNAMED, engineDocument: document, trustedProject };
}

/** Expands the short form `model: provider/name` in an inline engine configuration. */
function withModelMap(block: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { model } = block;
  if (typeof model !== "string") return block;
  const slash = model.indexOf("/");
  const [provider, name] = slash < 0 ? ["", model] : [model.slice(0, slash), model.slice(slash + 1)];
  return { ...block, model: { ...(provider === "" ? {} : { provider }), name } };
}
