import { secret } from "@switchyard/secrets";
import { onTestFinished } from "vitest";
import {
  createModelGateway,
  type GatewayRun,
  type GatewayRunOptions,
  type ModelGateway,
  type ModelGatewayEvent,
  type ModelGatewayOptions,
} from "../src/index.ts";

/** API key of the simulated provider. Assembled, so that no scanner takes it for a real key. */
export const KEY: string = ["sk", "real", "0123456789abcdef"].join("-");

/** A gateway and one of its runs, with their events. */
export interface OpenedGateway {
  readonly gateway: ModelGateway;
  readonly run: GatewayRun;
  readonly events: ModelGatewayEvent[];
  /** Sends a request of an engine with the token of the run. */
  send(
    path: string,
    options?: { body?: unknown; headers?: Record<string, string>; method?: string },
  ): Promise<Response>;
}

/** Opens a gateway with one run. Both are closed when the test ends. */
export async function openGateway(
  options: Partial<ModelGatewayOptions> & Pick<ModelGatewayOptions, "upstreams">,
  runOptions: Partial<GatewayRunOptions> = {},
): Promise<OpenedGateway> {
  const events: ModelGatewayEvent[] = [];
  const retry = { delay: async () => undefined, random: () => 0.5 };
  const gateway = createModelGateway({ retry, onEvent: (event) => events.push(event), ...options });
  onTestFinished(() => gateway.close());
  const run = await gateway.openRun({ runId: "run-1", ...runOptions });
  return {
    ...{ gateway, run, events },
    send: (path, { body, headers, method } = {}) =>
      fetch(`${run.baseUrl}${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { authorization: `Bearer ${run.token.reveal()}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
  };
}

/** Returns the settings of a provider that offers Anthropic's Messages API. */
export function anthropicAt(url: string): ModelGatewayOptions["upstreams"] {
  return { anthropic: { apiKey: secret(KEY), baseUrl: `${url}/v1` } };
}

/** A request for a response of Anthropic's Messages API. */
export function messagesBody(more: object = {}): object {
  return { model: "claude-sonnet-4-5", max_tokens: 100, messages: [{ role: "user", content: "Hi." }], ...more };
}
