import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEffectLedger } from "../index.ts";

function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "switchyard-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "effects.jsonl");
}

test("effects are stored in order, and repeated effects of one operation are distinguished", () => {
  const ledger = openEffectLedger({ pid: 7 });
  for (const id of ["a", "b", "a", "c", "a", "b"]) ledger.record(id);
  expect(ledger.effects().map(({ operationId }) => operationId)).toEqual(["a", "b", "a", "c", "a", "b"]);
  expect(ledger.effects()[2]).toEqual({ operationId: "a", pid: 7, number: 3 });
  expect(ledger.duplicates()).toEqual(["a", "b"]);
});

test("a ledger file is shared by all that open it, whatever the ids contain", () => {
  const path = scratchFile();
  const [first, second] = [openEffectLedger({ path, pid: 1 }), openEffectLedger({ path, pid: 2 })];
  expect([first.effects(), first.duplicates()]).toEqual([[], []]);
  first.record("write\nfile");
  second.record("write\nfile");
  second.record("ä");
  expect(first.effects().map(({ pid }) => pid)).toEqual([1, 2, 2]);
  expect(openEffectLedger({ path }).duplicates()).toEqual(["write\nfile"]);
});

test("a file that is not a ledger is rejected", () => {
  const path = scratchFile();
  const ledger = openEffectLedger({ path });
  appendFileSync(path, '{"other": true}\n');
  expect(() => ledger.effects()).toThrow(/not a ledger of effects/);
});
