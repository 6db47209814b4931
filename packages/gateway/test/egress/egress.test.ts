import { sandboxReadiness } from "@switchyard/environment/local";
import { beforeEach, describe, expect, test } from "vitest";
import { ATTACK_ROWS } from "./attack-rows.ts";
import { runScene } from "./run-scene.ts";

const { ok } = await sandboxReadiness({ ...process.env });

describe("the egress proxy in a network namespace with a fake internet", async () => {
  const scene = ok
    ? await runScene()
    : { attacks: [], controls: {}, limits: {}, direct: [], rebound: [], strangers: [] };

  beforeEach(({ skip }) => skip(!ok, "a sandbox cannot be created here"));

  test("there are at least 100 attacks", () => {
    expect(scene.attacks.length).toBe(ATTACK_ROWS.length);
    expect(new Set(ATTACK_ROWS.map(({ name }) => name)).size).toBe(ATTACK_ROWS.length);
    expect(ATTACK_ROWS.length).toBeGreaterThanOrEqual(100);
  });

  test.each(scene.attacks)("$name", ({ name, passed, passedWrong, answer, decisions }) => {
    expect({ passed, answer: answer.endsWith("(timeout)") }).toEqual({ passed: false, answer: false });
    expect(passedWrong, "the wrong proxy lets the attack through").toBe(true);
    expect(decisions.length).toBeGreaterThanOrEqual(1);
    if (name.includes("second ClientHello")) expect(decisions.at(-1)?.reason).toMatch(/^(sni_|encrypted_hello)/);
  });

  test.each(scene.direct)("a command in a sandbox has no other way: $name", ({ passed, passedWrong }) => {
    expect({ passed, passedWrong }).toEqual({ passed: false, passedWrong: true });
  });

  test.each(scene.rebound)("a name whose address changes is resolved once: $name", (result) => {
    const { addresses, lookups, wrongAddresses, changedAddress } = result;
    expect({ addresses, lookups }).toEqual({ addresses: ["93.184.216.34"], lookups: 1 });
    expect(wrongAddresses, "a proxy that resolves the name twice reaches the other address").toEqual([changedAddress]);
  });

  test.each(Object.entries(scene.limits))("a limit ends the connection: %s", (_, result) => {
    expect(result).toBe("ok");
  });

  test("no attack reached an address that no rule allows", () => {
    expect(scene.strangers).toEqual([]);
  });

  test.each(Object.entries(scene.controls))("allowed: %s", (_, result) => {
    expect(result).toBe("ok");
  });
});
