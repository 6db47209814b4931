import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createProcessOwner, describeOwner } from "./process-owner.ts";

const hasProc = process.platform === "linux";

test("this process is alive, with a stable token", () => {
  const owner = createProcessOwner();
  expect(owner.token).toBe(createProcessOwner().token);
  expect(owner.token).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
  expect(owner.token.startsWith(`${process.pid}-`)).toBe(true);
  expect(owner.livenessOf(owner.token)).toBe(hasProc ? "alive" : "unknown");
});

test("a process that has ended is dead", () => {
  const owner = createProcessOwner();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const token = owner.token.replace(/^\d+-\d+/, `${pid}-1`);
  expect(owner.livenessOf(token)).toBe("dead");
});

test("an ended process is dead even before its parent has reaped it", async ({ skip }) => {
  skip(!hasProc, "only Linux recognises zombie processes");
  // The program that replaces the shell never waits for the child, which ends when its input does. A shell might, so the
  // child must not end before.
  const parent = spawn("sh", ["-c", "exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 300"]);
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [output] = await once(parent.stdout, "data");
  const pid = String(output).trim();
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim()).toBe("sleep");
  parent.stdin.end();
  const fields = () => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ", 2)[1]?.split(" ") ?? [];
  await expect.poll(() => fields()[0]).toBe("Z");
  const owner = createProcessOwner();
  expect(owner.livenessOf(owner.token.replace(/^\d+-\d+/, `${pid}-${fields()[19]}`))).toBe("dead");
});

test("a later process with the same id is not mistaken for the owner", ({ skip }) => {
  skip(!hasProc, "only Linux reports the start time of a process");
  const owner = createProcessOwner();
  expect(owner.livenessOf(owner.token.replace(/^(\d+)-\d+/, "$1-1"))).toBe("dead");
});

test("the liveness of a process of another boot or host, or of an unknown token, is unknown", () => {
  const owner = createProcessOwner();
  const [pid, ticks, boot = "", host = ""] = owner.token.split("-");
  for (const token of [`${pid}-${ticks}-${boot}-ffffffff`, `${pid}-${ticks}-ffffffff-${host}`, "1", "", "somebody"]) {
    expect(owner.livenessOf(token)).toBe("unknown");
  }
});

test("an owner is described by its process id, or as possibly of another machine", () => {
  const owner = createProcessOwner();
  if (hasProc) expect(describeOwner(owner.token, owner)).toBe(`process ${process.pid}`);
  expect(describeOwner("12-1-ffffffff-ffffffff", owner)).toBe("process 12, perhaps of another machine");
  expect(describeOwner("somebody", owner)).toBe("somebody");
});
