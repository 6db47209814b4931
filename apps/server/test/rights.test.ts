import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCESS } from "../src/index.ts";
import { type ApiResponse, call, create, toRecord, untilQuestion } from "./call-api.ts";
import { type OpenedServer, openServer } from "./open-server.ts";
import { ASKING, MISSING, type Owner, operationsOf, PROBES, ROLE_SETS, TOKENS, tokenOf } from "./rights-probes.ts";

const ACCESS_BY_ID = new Map<string, "everyone" | readonly string[]>(Object.entries(ACCESS));

let server: OpenedServer;
let runs: Record<Owner, string>;
/** Operations of the server: method and path by id. */
let operations: ReadonlyMap<string, string>;
const releases: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const options = { concurrency: 2, tokens: TOKENS, rateLimit: { perMinute: 1e9, burst: 1e9 } };
  server = await openServer(ASKING, options, (release) => releases.push(release));
  const open = async (owner: Owner): Promise<string> => {
    const token = tokenOf(owner, ["runner"]);
    const runId = await create(server, { token });
    await untilQuestion(server, runId, { token });
    return runId;
  };
  runs = { ada: await open("ada"), bob: await open("bob") };
  operations = await operationsOf(server);
});
afterAll(async () => {
  for (const runId of Object.values(runs))
    await call(server, `POST /v1/runs/${runId}/interrupt`, { token: tokenOf("ada", ["admin"]) });
  for (const release of releases.reverse()) await release();
});

function probe(id: string, { token, runId = MISSING }: { token?: string; runId?: string }): Promise<ApiResponse> {
  const line = operations.get(id) ?? "";
  return call(server, line.replace("{run_id}", runId), { ...PROBES[id], token });
}

/** A response without the parts that differ between any two responses. */
function comparable({ status, headers, body }: ApiResponse, runId: string): unknown {
  const named = [...headers].filter(([name]) => name !== "date");
  return JSON.parse(JSON.stringify({ status, named, body }).replaceAll(runId, "ID"));
}

/** Returns whether a response shows that the request passed all checks of rights. */
function isServed({ status, body }: ApiResponse): boolean {
  return status !== 401 && status !== 403 && body["code"] !== "server.unknown_run";
}

test("every operation has a row in the access table and a request in this test", () => {
  const withoutOperation = ["readDashboard", "answerQuestion", "answerApproval"];
  expect([...operations.keys(), ...withoutOperation].sort()).toEqual(Object.keys(ACCESS).sort());
  expect(Object.keys(PROBES).sort()).toEqual([...operations.keys()].sort());
});

test.each(Object.keys(PROBES))("%s is open to exactly the roles in the access table", async (id) => {
  const allowed = ACCESS_BY_ID.get(id) ?? [];
  const namesRun = operations.get(id)?.includes("{run_id}") === true;
  for (const token of [undefined, "not-a-token-of-the-server"]) {
    const refused = await probe(id, { ...(token === undefined ? {} : { token }), runId: runs.ada });
    expect([id, refused.status === 401]).toEqual([id, allowed !== "everyone"]);
  }
  for (const roles of ROLE_SETS) {
    const token = tokenOf("ada", roles);
    const about = [id, roles.join()];
    const isAllowed = allowed === "everyone" || allowed.some((role) => roles.includes(role));
    const answer = await probe(id, { token, runId: runs.ada });
    expect([...about, isServed(answer)]).toEqual([...about, isAllowed]);
    if (!isAllowed) expect(answer).toMatchObject({ status: 403, body: { code: "server.missing_role" } });
    if (!namesRun) continue;
    const other = await probe(id, { token, runId: runs.bob });
    if (isAllowed && roles.includes("admin")) expect([...about, isServed(other)]).toEqual([...about, true]);
    else expect(comparable(other, runs.bob)).toEqual(comparable(await probe(id, { token }), MISSING));
  }
});

/** Sends an answer. Repeats it while the engine has not asked the question again after an earlier answer. */
async function answer(runId: string, token: string, promptId: string): Promise<ApiResponse> {
  for (;;) {
    const body = { prompt_id: promptId, text: "allow_once" };
    const response = await call(server, `POST /v1/runs/${runId}/answer`, { body, token });
    if (response.body["code"] !== "prompt.unknown") return response;
  }
}

test.each([
  ["question", "answerQuestion"],
  ["approval", "answerApproval"],
])("the answer to a pending %s needs the roles of %s in the access table", async (promptId, action) => {
  const allowed = ACCESS_BY_ID.get(action) ?? [];
  const route = ACCESS_BY_ID.get("answerRun") ?? [];
  for (const roles of ROLE_SETS) {
    const { status } = await answer(runs.ada, tokenOf("ada", roles), promptId);
    expect([roles.join(), status]).toEqual([roles.join(), roles.some((role) => allowed.includes(role)) ? 202 : 403]);
    const other = await answer(runs.bob, tokenOf("ada", roles), promptId);
    const status404 = roles.some((role) => route.includes(role)) ? 404 : 403;
    expect([roles.join(), other.status]).toEqual([roles.join(), roles.includes("admin") ? 202 : status404]);
  }
});

const text = fc.oneof(fc.constantFrom("", "ada", "bob", "served", "Do it.", "%"), fc.string({ maxLength: 8 }));
const query = fc.record(
  {
    owner: text,
    search: text,
    engine: text,
    parent_run_id: fc.oneof(text, fc.constant("RUN")),
    status: fc.constantFrom("awaiting_input", "running,awaiting_input"),
    sort: fc.constantFrom("created", "-created", "duration", "-cost", "tokens"),
    limit: fc.constantFrom("1", "200"),
  },
  { requiredKeys: [] },
);

test("no filter shows runs, engines or owners of another owner", async () => {
  const readers = ROLE_SETS.filter((roles) => roles.some((role) => role !== "monitor") && !roles.includes("admin"));
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom(...readers), async (filters, roles) => {
      const token = tokenOf("ada", roles);
      const { sort: _, limit: __, ...common } = filters;
      const list = await call(server, `GET /v1/runs?${new URLSearchParams(filters)}`, { token });
      const counts = await call(server, `GET /v1/statistics?${new URLSearchParams(common)}`, { token });
      const shown = JSON.stringify([list.body, counts.body]);
      expect([list.status, counts.status]).toEqual([200, 200]);
      expect(shown).not.toContain(runs.bob);
      expect(toRecord(counts.body)["owners"]).toEqual(["ada"]);
      expect(Number(list.body["total"])).toBeLessThanOrEqual(1);
    }),
    { numRuns: 60 },
  );
  const everything = await call(server, "GET /v1/runs", { token: tokenOf("ada", ["admin"]) });
  expect(JSON.stringify(everything.body)).toContain(runs.bob);
});
