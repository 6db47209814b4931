// @ts-check
import { openHostileModelServer } from "@switchyard/testkit";
import { APIS } from "./generated-case.mjs";
import { createModelClient } from "./model-client.mjs";

/** @import { Client, Message, ModelRequest, ModelResponse } from "@switchyard/contracts" */

/**
 * Wraps a client and records the conversation from the last request and its response.
 * @param {Client} client
 * @returns {Client & { readonly conversation: readonly Message[] }}
 */
export function watchConversation(client) {
  /** @type {readonly Message[]} */
  let conversation = [];
  /** @param {ModelRequest} request */
  const begin = ({ messages }) => {
    conversation = structuredClone(messages);
  };
  /** @param {ModelResponse} response */
  const end = ({ message }) => {
    if (message.parts.every(({ type }) => type !== "tool_call")) conversation = [...conversation, message];
  };
  return {
    async complete(request) {
      begin(request);
      const response = await client.complete(request);
      end(response);
      return response;
    },
    async *stream(request) {
      begin(request);
      for await (const event of client.stream(request)) {
        if (event.type === "finish") end(event.response);
        yield event;
      }
    },
    close: () => client.close(),
    get conversation() {
      return conversation;
    },
  };
}

/**
 * Continues the conversation with every API, each of which must accept it.
 * @param {readonly Message[]} conversation
 * @returns {Promise<string[]>}
 */
export async function historyProblems(conversation) {
  if (conversation.length === 0) return [];
  const plan = { seed: 0, turns: [[{ oddities: [], seed: 0 }]], completes: true };
  const server = await openHostileModelServer({
    script: [{ kind: "answer", parts: [{ type: "text", text: "Yes." }] }],
    plan,
  });
  /** @type {Message} */
  const further = { role: "user", parts: [{ type: "text", text: "Are you sure?" }] };
  try {
    for (const api of APIS) {
      const client = createModelClient(api, { baseUrl: server.baseUrl(api) });
      await client.complete({ model: "hostile", messages: [...conversation, further] }).catch(() => undefined);
      await client.close();
    }
    const { requests, problems } = server.ledger();
    const missing = requests.length === APIS.length ? [] : [`${requests.length} of ${APIS.length} APIs were asked`];
    return [...missing, ...problems].map((problem) => `the history of the run: ${problem}`);
  } finally {
    await server.close();
  }
}
