import { ATTRIBUTE, type SessionMessage } from "@switchyard/contracts";
import { attributeOf } from "@switchyard/engine";
import { createMasker, type Masker, secret } from "@switchyard/secrets";
import { createCallInput } from "../call/call-input.ts";
import type { CallSecrets } from "../call/command-line-rules.ts";
import { renderTemplate } from "../template/render-template.ts";
import type { Call } from "../transport/transport.ts";
import type { Limits } from "./call-limits.ts";
import type { ConversationState } from "./conversation.ts";
import { createEventPublisher, type EventPublisher } from "./event-publisher.ts";
import type { Job } from "./job.ts";

/** Inputs of `createCall` that differ between the calls of a run. */
interface CallContext {
  readonly state: ConversationState;
  readonly messages: readonly SessionMessage[];
  readonly limits: Limits;
}

/** Returns the input, limits and listener of a call, and the publisher of the call's events. */
export function createCall(job: Job, { state, messages, limits }: CallContext): { call: Call; events: EventPublisher } {
  const { config, environment, input, run, host, options } = job;
  const { apiKey, modelAccess } = job;
  const callInput = createCallInput({
    ...{
      config,
      input,
      messages,
      apiKey,
      modelAccess,
      sessionId: state.sessionId,
      workspace: environment.workingDirectory,
    },
    timeoutSeconds: limits.timeoutMs === undefined ? 0 : Math.ceil(limits.timeoutMs / 1000),
  });
  const secrets = secretsOfCall(job, callInput.values);
  const masker = maskerOf(secrets, state.sessionId);
  const events = createEventPublisher(
    host,
    {
      runId: run.id,
      actor: attributeOf(run, ATTRIBUTE.agentId) || config.name,
      attempt: run.resume?.attempt ?? 1,
      now: options.now ?? Date.now,
      createId: options.createId ?? (() => crypto.randomUUID()),
      source: config.name,
    },
    masker,
  );
  const call: Call = {
    ...callInput,
    ...{ config, environment, secrets, masker, signal: run.signal },
    ...(limits.timeoutMs === undefined ? {} : { timeoutMs: limits.timeoutMs }),
    listener: {
      output: (stream, text) => events.output(stream, text),
      notify: (kind, message) => events.publish("warning", { message: masker.mask(message), kind }),
    },
  };
  return { call, events };
}

function secretsOfCall(
  { config, apiKey, modelAccess }: Job,
  values: Parameters<typeof renderTemplate>[1],
): CallSecrets {
  const env = Object.entries(config.env).map(([name, template]) => [name, secret(renderTemplate(template, values))]);
  return { apiKey, modelToken: modelAccess?.token, env: Object.fromEntries(env) };
}

/**
 * Maximum length of values to mask, in characters. Longer values are complete documents. They do not reappear in
 * output, and searching for them would be slow.
 */
const MAX_MASKED_CHARS = 64 * 1024;

function maskerOf({ apiKey, modelToken, env }: CallSecrets, sessionId: string | undefined): Masker {
  const texts = Object.values(env).map((value) => value.reveal());
  const short = texts.filter((value) => value.length <= MAX_MASKED_CHARS);
  const values = [...short, ...(sessionId === undefined ? [] : [sessionId])];
  return createMasker(values, { keys: [apiKey, modelToken].flatMap((key) => (key === undefined ? [] : [key])) });
}
