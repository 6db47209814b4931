import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStoredSessions, type StoredSession } from "./stored-sessions.ts";

const [OLD, NEW] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

function session(session_id: string, updated_at: string): StoredSession {
  return { format: 1, session_id, workspace: "/work", updated_at, runs: ["01A", "01B"] };
}

/** Opens a store in a state folder that other users may read. */
async function openStore() {
  const state = await mkdtemp(join(tmpdir(), "acp-"));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  await chmod(state, 0o755);
  return { sessions: openStoredSessions(state), folder: join(state, "acp") };
}

test("stored sessions are readable only by their owner", async () => {
  const { sessions, folder } = await openStore();
  await sessions.save(session(OLD, "2026-01-01T00:00:00Z"));
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
  expect(await modeOf(folder)).toBe(0o700);
  expect(await readdir(folder)).toEqual([`${OLD}.json`]);
  expect(await modeOf(join(folder, `${OLD}.json`))).toBe(0o600);
});

test("sessions are listed by their last prompt, newest first, without damaged ones", async () => {
  const { sessions, folder } = await openStore();
  expect(await sessions.list()).toEqual([]);
  expect(await sessions.find(OLD)).toBeUndefined();
  await sessions.save(session(OLD, "2026-01-01T00:00:00Z"));
  await sessions.save(session(NEW, "2026-01-02T00:00:00Z"));
  const damaged = "00000000-0000-4000-8000-000000000003";
  await writeFile(join(folder, `${damaged}.json`), JSON.stringify(session(OLD, "2026-01-03T00:00:00Z")));
  expect((await sessions.list()).map((one) => one.session_id)).toEqual([NEW, OLD]);
  await expect(sessions.find(damaged)).rejects.toMatchObject({ code: "run.malformed_record" });
  await sessions.save(session(OLD, "2026-01-04T00:00:00Z"));
  expect((await sessions.list()).map((one) => one.session_id)).toEqual([OLD, NEW]);
});

test("an id that this server did not create is never used as a file name", async () => {
  const { sessions, folder } = await openStore();
  await sessions.save(session(OLD, "2026-01-01T00:00:00Z"));
  await writeFile(join(folder, "../outside.json"), JSON.stringify(session("../outside", "2026-01-01T00:00:00Z")));
  expect(await sessions.find("../outside")).toBeUndefined();
  await sessions.remove("../outside");
  expect(await readdir(join(folder, ".."))).toEqual(["acp", "outside.json"]);
  await sessions.remove(OLD);
  expect(await sessions.find(OLD)).toBeUndefined();
});

const COMPLETE = session(OLD, "2026-01-01T00:00:00Z");

test.each([
  "{",
  "null",
  '"text"',
  ...[
    { ...COMPLETE, format: 2 },
    { ...COMPLETE, session_id: NEW },
    { ...COMPLETE, workspace: 1 },
  ].map((one) => JSON.stringify(one)),
  ...[
    { ...COMPLETE, updated_at: 1 },
    { ...COMPLETE, runs: "01A" },
  ].map((one) => JSON.stringify(one)),
])("loading a damaged session is an error, and it is not listed: %s", async (text) => {
  const { sessions, folder } = await openStore();
  await sessions.save(COMPLETE);
  expect(await sessions.find(OLD)).toEqual(COMPLETE);
  await writeFile(join(folder, `${OLD}.json`), text);
  await expect(sessions.find(OLD)).rejects.toMatchObject({ code: "run.malformed_record" });
  expect(await sessions.list()).toEqual([]);
});

test("an unreadable state folder is an error, not an empty list", async () => {
  const { sessions, folder } = await openStore();
  await writeFile(folder, "a file in place of the folder");
  await expect(sessions.list()).rejects.toMatchObject({ code: "ENOTDIR" });
});
