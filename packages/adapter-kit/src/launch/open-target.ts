import { EngineError, type StartAgentSessionOptions } from "@switchyard/contracts";
import type { AgentSettings } from "../definition/define-adapter.ts";
import { toModelEndpoint } from "../redirect/model-redirect.ts";
import { openStateFolders } from "./open-state-folders.ts";
import { type LaunchTarget, resolveLaunchTarget } from "./resolve-launch-target.ts";

/**
 * Finds the program of a session and determines its environment variables. Rejects with `config.invalid` if the model
 * calls must be redirected and the adapter cannot redirect them, and like `openStateFolders` and `resolveLaunchTarget`.
 */
export async function openTarget(settings: AgentSettings, options: StartAgentSessionOptions): Promise<LaunchTarget> {
  const { command, defaultCommand, variables } = settings;
  const { environment, workspacePath, signal } = options;
  const request = { environment, workspacePath, command, defaultCommand, signal };
  if (options.modelAccess === undefined) {
    const plainVariables = await openStateFolders(settings, options);
    return await resolveLaunchTarget({ ...request, variables, plainVariables });
  }
  const modelEndpoint = toModelEndpoint(options.modelAccess);
  const redirected = settings.redirect?.(modelEndpoint);
  if (redirected === undefined) {
    const reason = settings.modelRoute?.directReason ?? `the adapter ${settings.kind} cannot redirect model calls`;
    throw new EngineError("config.invalid", { field: "modelAccess", problem: reason });
  }
  const plainVariables = { ...(await openStateFolders(settings, options)), ...redirected.plainVariables };
  return await resolveLaunchTarget({ ...request, ...redirected, plainVariables, modelEndpoint });
}
