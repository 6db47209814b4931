import type { ModelRequest, ModelResponse } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";
import { callHook } from "./call-hook.ts";

/** Returns the request after the `beforeModelCall` hook. Hooks cannot replace the abort signal. */
export async function hookedRequest(core: SessionCore, request: ModelRequest): Promise<ModelRequest> {
  const hook = core.hooks?.beforeModelCall;
  if (hook === undefined) return request;
  const changed = await callHook(core, { hook: "beforeModelCall" }, (context) => hook(request, context));
  if (changed === undefined || changed === request) return request;
  return { ...changed, signal: request.signal, onRetry: changed.onRetry ?? request.onRetry };
}

/** Returns the response as changed by the `afterModelCall` hook. Hooks cannot change the response's id and usage. */
export async function hookedResponse(core: SessionCore, response: ModelResponse): Promise<ModelResponse> {
  const hook = core.hooks?.afterModelCall;
  if (hook === undefined) return response;
  const changed = await callHook(core, { hook: "afterModelCall" }, (context) => hook(response, context));
  if (changed === undefined || changed === response) return response;
  return { ...changed, id: response.id, usage: response.usage };
}
