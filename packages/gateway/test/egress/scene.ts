// Runs in a network namespace whose every address is local. Attacks the proxy and the wrong proxy with every row, and
// prints the results as JSON. Usage: node scene.mjs FOLDER, in which the scene creates workspaces.
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EgressDecision, parseEgressRules, startEgressProxy } from "@switchyard/gateway/egress";
import { secret } from "@switchyard/secrets";
import { ATTACK_ROWS, type AttackRow, CREDENTIAL, RULES } from "./attack-rows.ts";
import { controls, HOSTILE_RESPONSES } from "./control-rows.ts";
import { type Contact, type FakeInternet, startFakeInternet } from "./fake-internet.ts";
import { limits } from "./limit-rows.ts";
import { type DirectResult, sandboxScene } from "./sandbox-scene.ts";
import { makeSite, serveFiles } from "./site.ts";
import { startWrongProxy } from "./wrong-proxy.ts";

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

/** Results of the scene. */
export interface SceneResult {
  readonly attacks: readonly AttackResult[];
  readonly controls: Readonly<Record<string, string>>;
  /** Clients that exceed a limit. Each text is `ok` or describes the failure. */
  readonly limits: Readonly<Record<string, string>>;
  /** Attempts of a command in a sandbox to reach the network without the proxy. */
  readonly direct: readonly DirectResult[];
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
  strangers: contacts.filter(isStranger).map(({ address, port }) => `${address} ${port}`),
};
process.stdout.write(JSON.stringify(result), () => process.exit(0));
