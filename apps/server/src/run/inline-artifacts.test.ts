import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ArchivedArtifact,
  MAX_INLINE_BYTES,
  MAX_INLINE_TOTAL_BYTES,
  type SessionResult,
} from "@switchyard/contracts";
import { createMasker, secret } from "@switchyard/secrets";
import { afterAll, expect, test } from "vitest";
import { inlineArtifacts } from "./inline-artifacts.ts";

const runFolder = await mkdtemp(join(tmpdir(), "inline-"));
await mkdir(join(runFolder, "artifacts"));
afterAll(() => rm(runFolder, { recursive: true, force: true }));

const SECRET = "a-secret-of-the-server";
const masker = createMasker([secret(SECRET)]);
const RESULT: SessionResult = { exit_code: 0, final_message: "Done." };

async function archive(name: string, content: string | Buffer, facts: Partial<ArchivedArtifact> = {}) {
  await writeFile(join(runFolder, "artifacts", name), content);
  return { name, path: name, bytes: content.length, ...facts };
}

async function inline(artifacts: ArchivedArtifact[], result: SessionResult = RESULT) {
  return (await inlineArtifacts(result, { artifacts, runFolder }, masker)).artifacts;
}

test("a result without artifacts is unchanged", async () => {
  expect(await inlineArtifacts(RESULT, { artifacts: [], runFolder }, masker)).toBe(RESULT);
});

test("texts and bytes are included in order, with secrets masked and types kept", async () => {
  const bytes = Buffer.from(`\0${SECRET}\xff`, "latin1");
  const found = await inline([
    await archive("a.txt", `key: ${SECRET}`, { contentType: "text/plain" }),
    await archive("b.bin", bytes),
  ]);
  expect(found?.files).toMatchObject([
    { name: "a.txt", content_type: "text/plain", content: expect.not.stringContaining(SECRET) },
    { name: "b.bin", content_base64: expect.any(String) },
  ]);
  const decoded = Buffer.from(found?.files?.[1]?.content_base64 ?? "", "base64").toString("latin1");
  expect(decoded).toMatch(/^\0.+\xff$/u);
  expect(decoded).not.toContain(SECRET);
  expect(found?.files?.[1]).not.toHaveProperty("content_type");
  expect(found).not.toHaveProperty("logs");
});

test("the size limits of one artifact and of all are inclusive; what exceeds them is listed after the logs", async () => {
  const whole = MAX_INLINE_TOTAL_BYTES / MAX_INLINE_BYTES;
  const fitting = Array.from({ length: Math.floor(whole) }, (_, index) =>
    archive(`fits-${index}.txt`, "x", { bytes: MAX_INLINE_BYTES }),
  );
  const rest = await archive("rest.txt", "x", { bytes: MAX_INLINE_TOTAL_BYTES % MAX_INLINE_BYTES });
  const late = await archive("late.txt", "x", { bytes: 1 });
  const large = await archive("large.txt", "x", { bytes: MAX_INLINE_BYTES + 1 });
  const given = { ...RESULT, artifacts: { logs: "one line", workspace_diff: "a diff" } };
  const found = await inline([large, ...(await Promise.all(fitting)), rest, late], given);
  expect(found?.files).toHaveLength(fitting.length + 1);
  expect(found?.workspace_diff).toBe("a diff");
  expect(found?.logs?.split("\n")).toEqual([
    "one line",
    `Not in this answer: large.txt: it exceeds the limit of ${MAX_INLINE_BYTES} bytes`,
    "Not in this answer: late.txt: it does not fit into the response",
  ]);
});

test("of many missing artifacts, fifty are listed, without secrets", async () => {
  const missing = (count: number): ArchivedArtifact[] =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}-${SECRET}` }));
  const fifty = (await inline(missing(50)))?.logs?.split("\n") ?? [];
  expect(fifty).toHaveLength(50);
  expect(fifty[0]).toMatch(/^Not in this answer: 0-.*: it was not archived$/u);
  expect(fifty.join("")).not.toContain(SECRET);
  const more = (await inline(missing(53)))?.logs?.split("\n") ?? [];
  expect(more.slice(50)).toEqual(["Not in this answer: 3 more artifacts"]);
});

test("an artifact that cannot be read is listed with the reason", async () => {
  const found = await inline([
    { name: "gone.txt", path: "gone.txt", bytes: 1 },
    { name: "x", dropped: "it is a link" },
  ]);
  expect(found).not.toHaveProperty("files");
  expect(found?.logs).toMatch(/gone\.txt: it cannot be read: /u);
  expect(found?.logs).toContain("Not in this answer: x: it is a link");
});
