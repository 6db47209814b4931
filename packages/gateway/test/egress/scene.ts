// Runs in a network namespace whose every address is local. Attacks the proxy and the wrong proxy with every row, and
// prints the results as JSON. Usage: node scene.mjs FOLDER, in which the scene creates workspaces.
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EgressDecision, parseEgressRules, startEgressProxy } from "@switchyard/gateway/egress";
import { secret } from "@switchyard/secrets";
import { ATTACK_ROWS, type AttackRow, CREDENTIAL, getFrom, RULES, tunnelTo } from "./attack-rows.ts";
import { controls, HOSTILE_RESPONSES } from "./control-rows.ts";
import { type Contact, type FakeInternet, startFakeInternet } from "./fake-internet.ts";
import { queriesOf } from "./fake-names.ts";
import { limits } from "./limit-rows.ts";
import { type DirectResult, sandboxScene } from "./sandbox-scene.ts";
import { makeSite, serveFiles } from "./site.ts";
import { startWrongProxy } from "./wrong-proxy.ts";

/** Addresses to which names change after the first query. */
const REBOUND_ADDRESSES = ["127.0.0.1", "169.254.169.254", "10.0.0.1"] as const;
/** Maximum time of one attack. */
const ROW_MS = 2000;

/** Result of one attack. */
export interface AttackResult {
  readonly name: string;
  /** True if the attack reached a server through the proxy. */
  readonly passed: boolean;
  /** True if the attack reached a server through the wrong proxy. */
  readonly passedWrong: boolean;
  /** What the proxy answered, shortened. */
  readonly answer: string;
  /** Decisions that the proxy reported. */
  readonly decisions: readonly EgressDecision[];
}

/** Result of a request for a name whose address changes after the first query. */
export interface RebindingResult {
  readonly name: string;
  /** Addresses that the request reached through the proxy. */
  readonly addresses: readonly string[];
  /** Number of times that the proxy resolved the name. */
  readonly lookups: number;
  /** Addresses that the same request reached through the wrong proxy. */
  readonly wrongAddresses: readonly string[];
  /** Address to which the name changes. */
  readonly changedAddress: string;
}

/** Results of the scene. */
export interface SceneResult {
  readonly attacks: readonly AttackResult[];
  readonly controls: Readonly<Record<string, string>>;
  /** Clients that exceed a limit. Each text is `ok` or describes the failure. */
  readonly limits: Readonly<Record<string, string>>;
  /** Attempts of a command in a sandbox to reach the network without the proxy. */
  readonly direct: readonly DirectResult[];
  /** Requests for names whose address changes after the first query. */
  readonly rebound: readonly RebindingResult[];
  /** Addresses that were contacted although no row may reach them. */
  readonly strangers: readonly string[];
}

const marks = new Map<AttackRow, string>(ATTACK_ROWS.map((row) => [row, randomBytes(8).toString("hex")]));

function reached(contacts: readonly Contact[], row: AttackRow): boolean {
  const leak = row.leak ?? marks.get(row) ?? "";
  return contacts.some(({ received }) => (typeof leak === "string" ? received.includes(leak) : leak.test(received)));
}

/** Sends the parts of a row. Resolves with the answer when the connection ends or `isDone` says so. */
function attack(internet: FakeInternet, socketPath: string, row: AttackRow): Promise<string> {
  const [first = "", ...rest] = row.send(marks.get(row) ?? "");
  const from = internet.contacts.length;
  return new Promise((resolve) => {
    let answer = "";
    const client = connect(socketPath, () => client.write(Buffer.from(first)));
    const finish = (): void => {
      clearTimeout(timer);
      client.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => {
      answer += " (timeout)";
      finish();
    }, ROW_MS);
    internet.onContact = () => {
      if (reached(internet.contacts.slice(from), row)) finish();
    };
    client.on("data", (chunk) => {
      answer += chunk.toString("latin1");
      const next = answer.startsWith("HTTP/1.1 200") ? rest.shift() : undefined;
      if (next !== undefined) client.write(next);
    });
    client.on("error", finish).on("end", finish).on("close", finish);
  });
}

/** Requests names whose address changes after the first query, with each protocol. */
async function rebind(internet: FakeInternet, socketPath: string): Promise<Omit<RebindingResult, "wrongAddresses">[]> {
  const results: Omit<RebindingResult, "wrongAddresses">[] = [];
  const protocols = [
    ["tunnel", (host: string): AttackRow => tunnelTo(`${host}:443`)],
    ["http request", getFrom],
  ] as const;
  for (const changedAddress of REBOUND_ADDRESSES) {
    for (const [protocol, toRow] of protocols) {
      // Each request has a name of its own, because the number of queries counts.
      const label = `flip-${changedAddress.replaceAll(".", "-")}`;
      const host = `${label}.x${randomBytes(4).toString("hex")}.listed.example`;
      const [row, mark] = [toRow(host), randomBytes(8).toString("hex")];
      marks.set(row, mark);
      const from = internet.contacts.length;
      await attack(internet, socketPath, row);
      const reachedBy = internet.contacts.slice(from).filter(({ received }) => received.includes(mark));
      const addresses = reachedBy.map(({ address }) => address);
      results.push({ name: `${protocol} to ${label}`, addresses, lookups: queriesOf(host), changedAddress });
    }
  }
  return results;
}

const [, , workspaces = ""] = process.argv;
const site = makeSite(join(workspaces, "site"));
const internet = await startFakeInternet((request, response) => {
  const hostile = HOSTILE_RESPONSES.get(request.url ?? "");
  if (hostile !== undefined) {
    response.socket?.write(Buffer.from(hostile, "latin1"));
    return;
  }
  if (serveFiles(site, request, response)) return;
  response.writeHead(200, { connection: "close", "x-host": request.headers.host ?? "" });
  if (request.url === "/authorization") response.end(request.headers.authorization);
  else request.pipe(response);
});
const decisions: EgressDecision[] = [];
const options = {
  rules: parseEgressRules(RULES),
  onDecision: (decision: EgressDecision) => void decisions.push(decision),
  credentials: [{ host: "keyed.example", header: "Authorization", value: secret(CREDENTIAL) }],
  limits: { handshakeTimeoutMs: 1000 },
  ca: internet.ca,
};
const proxy = await startEgressProxy(options);
const attacks: { row: AttackRow; answer: string; decisions: EgressDecision[] }[] = [];
for (const row of ATTACK_ROWS) {
  const from = decisions.length;
  const answer = await attack(internet, proxy.socketPath, row);
  attacks.push({ row, answer, decisions: decisions.slice(from) });
}
const rebound = await rebind(internet, proxy.socketPath);
const ownControls = await controls(proxy.socketPath, internet, decisions);
await proxy[Symbol.asyncDispose]();
const contacts = internet.contacts.splice(0);
const limited = await limits(internet);
const sandboxed = await sandboxScene(internet, workspaces);
const isStranger = ({ address }: Contact): boolean => !["udp", "93.184.216.34"].includes(address);
const wrongPath = join(mkdtempSync(join(tmpdir(), "wrong-proxy-")), "proxy.sock");
const wrong = await startWrongProxy(wrongPath);
const passedWrong = new Set<AttackRow>();
for (const row of ATTACK_ROWS) {
  await attack(internet, wrongPath, row);
  if (reached(internet.contacts, row)) passedWrong.add(row);
}
const reboundWrong = await rebind(internet, wrongPath);
wrong.close();
const result: SceneResult = {
  attacks: attacks.map(({ row, answer, decisions }) => ({
    name: row.name,
    passed: reached(contacts, row),
    passedWrong: passedWrong.has(row),
    answer: answer.slice(0, 600),
    decisions,
  })),
  controls: { ...ownControls, ...sandboxed.controls },
  limits: limited,
  direct: sandboxed.direct,
  rebound: rebound.map((one, index) => ({ ...one, wrongAddresses: reboundWrong[index]?.addresses ?? [] })),
  strangers: contacts.filter(isStranger).map(({ address, port }) => `${address} ${port}`),
};
process.stdout.write(JSON.stringify(result), () => process.exit(0));
