import { connect, type Msg } from "@nats-io/transport-node";
import type { RunStore } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { call, create, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";
import { ASKING, MISSING, operationsOf, PROBES, ROLE_SETS, TOKENS, tokenOf } from "./rights-probes.ts";

const RUNNER = tokenOf("ada", ["runner"]);
/** Number of questions that the run asks at the same time. */
const QUESTIONS = 2;
/** Prefix of requests to the broker, such as for the last message of a subject. */
const BROKER_API = "$JS.API.";
/** Prefix of the reply subject of stored messages that the broker delivers to a reader. */
const DELIVERED = "$JS.ACK.";

interface Message {
  readonly subject: string;
  readonly text: string;
  readonly isDelivered: boolean;
}

/** Returns the messages that were sent to a run: neither requests to the broker nor its deliveries. */
function sentTo(runId: string, messages: readonly Message[]): Message[] {
  return messages.filter(
    ({ subject, isDelivered }) => subject.includes(runId) && !subject.startsWith(BROKER_API) && !isDelivered,
  );
}

/** Resolves with the number of questions in the stored events of a run. */
async function countPrompts(store: Pick<RunStore, "events">, runId: string): Promise<number> {
  let count = 0;
  for await (const { type } of store.events(runId)) if (type === "user_prompted") count += 1;
  return count;
}

describeWithBroker("in a cluster, the broker subjects of a run", () => {
  const createCluster = useClusters();

  /** Starts a server and a worker with a run that waits for answers, and records all messages of the broker. */
  async function openRun() {
    const cluster = createCluster();
    const server = await cluster.addServer({ tokens: TOKENS, rateLimit: { perMinute: 1e9, burst: 1e9 } });
    await cluster.addWorker(ASKING);
    const runId = await create(server, { token: RUNNER });
    await untilStatus(server, runId, { status: "awaiting_input", token: RUNNER });
    // The worker has then sent all messages that it sends before answers arrive.
    const { store } = await cluster.connect();
    onTestFinished(() => store.close());
    await expect.poll(async () => await countPrompts(store, runId)).toBe(QUESTIONS);
    const observer = await connect({ servers: cluster.url });
    onTestFinished(() => observer.close());
    const messages: Message[] = [];
    const callback = (_: Error | null, message: Msg): void => {
      const { subject, reply } = message;
      messages.push({ subject, text: message.string(), isDelivered: reply?.startsWith(DELIVERED) === true });
    };
    observer.subscribe(">", { callback });
    return {
      ...{ server, runId, operations: await operationsOf(server) },
      /** Resolves with the messages that were sent while a function ran. */
      sentDuring: async (act: () => Promise<unknown>): Promise<Message[]> => {
        await observer.flush();
        messages.length = 0;
        await act();
        await observer.flush();
        return [...messages];
      },
    };
  }

  test("receive nothing from callers who may not use the run, whatever operation they try", async () => {
    const { server, runId, operations, sentDuring } = await openRun();
    const steer = { token: RUNNER, body: { text: "go on" } };
    const control = await sentDuring(() => call(server, `POST /v1/runs/${runId}/steer`, steer));
    // The messages of the owner are observed, so those of other callers would be.
    expect(control.some(({ subject }) => subject.endsWith(`.cluster.control.${runId}`))).toBe(true);
    for (const [id, options] of Object.entries(PROBES)) {
      const line = (operations.get(id) ?? "").replace("{run_id}", runId);
      for (const roles of ROLE_SETS.filter((set) => !set.includes("admin"))) {
        const token = tokenOf("bob", roles);
        const sent = await sentDuring(() => call(server, line, { ...options, token }));
        expect([id, roles.join(), sentTo(runId, sent)]).toEqual([id, roles.join(), []]);
      }
    }
  });

  test("are those of one run, whatever text a request has as the id of the run", async () => {
    const { server, runId, operations, sentDuring } = await openRun();
    const lines = [...operations].filter(([, line]) => line.includes("{run_id}"));
    const part = fc.constantFrom(
      "*",
      ">",
      ".",
      runId,
      runId.slice(0, -1),
      "meta",
      "$JS",
      " ",
      "\u0000",
      "/",
      "..",
      "ü",
    );
    const text = fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lines), text, async ([id, line], parts) => {
        const given = parts.join("");
        fc.pre(given !== runId);
        const path = line.replace("{run_id}", encodeURIComponent(given));
        const sent = await sentDuring(() => call(server, path, { ...PROBES[id], token: RUNNER }));
        expect(sentTo(runId, sent)).toEqual([]);
        const wild = sent.filter(({ text: body }) => /"(?:last|next)_by_subj":"[^"]*[*>]/u.test(body));
        expect(wild).toEqual([]);
      }),
      { numRuns: 200 },
    );
    const missing = await sentDuring(() => call(server, `GET /v1/runs/${MISSING}`, { token: RUNNER }));
    // Reads of a missing run are observed, so those of another run would be.
    expect(missing.some(({ text: body }) => body.includes(`.${MISSING}.`))).toBe(true);
  });
});
