import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ArchivedArtifact, SessionArtifacts } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { collectArtifacts } from "../src/index.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "./temporary-session.ts";

const MIB = 1024 * 1024;

async function collectIn(workspace: TemporaryWorkspace, artifacts: SessionArtifacts): Promise<ArchivedArtifact[]> {
  await using environment = await openLocalEnvironment({ root: workspace.root });
  return await collectArtifacts(artifacts, { environment, folder: archiveOf(workspace) });
}

function archiveOf(workspace: TemporaryWorkspace): string {
  return join(workspace.stateDirectory, "artifacts");
}

test("declared paths, contents and generated files are archived, and nothing else, for any engine [custom-artifacts-1] [custom-artifacts-12]", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("outputs/report.md", "# Report");
  workspace.write("outputs/undeclared.md", "no");
  workspace.write("data.bin", "\u0000\u0001");
  const archived = await collectIn(workspace, {
    files: [
      { name: "final.md", path: "outputs/report.md", content_type: "text/markdown" },
      { name: "abs.md", path: join(workspace.root, "outputs/report.md") },
      { name: "summary.json", content: '{"a":1}' },
      { name: "bytes", content_base64: Buffer.from([0, 255]).toString("base64") },
    ],
    generated_files: ["data.bin", "outputs/report.md"],
    logs: "not an artifact",
  });
  expect(archived).toEqual([
    { name: "final.md", path: "final.md", bytes: 8, contentType: "text/markdown" },
    { name: "abs.md", path: "abs.md", bytes: 8 },
    { name: "summary.json", path: "summary.json", bytes: 7 },
    { name: "bytes", path: "bytes", bytes: 2 },
    { name: "data.bin", path: "data.bin", bytes: 2 },
  ]);
  expect(readdirSync(archiveOf(workspace)).sort()).toEqual(["abs.md", "bytes", "data.bin", "final.md", "summary.json"]);
  expect(readFileSync(join(archiveOf(workspace), "bytes"))).toEqual(Buffer.from([0, 255]));
  expect(statSync(join(archiveOf(workspace), "final.md")).mode & 0o777).toBe(0o600);
});

test("an artifact that cannot be archived is dropped with its location and the reason [custom-artifacts-5] [custom-artifacts-6] [custom-artifacts-10]", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("ok.txt", "ok");
  writeFileSync(join(workspace.root, "../secret.txt"), "secret");
  symlinkSync("../secret.txt", join(workspace.root, "link.txt"));
  symlinkSync("..", join(workspace.root, "up"));
  const archived = await collectIn(workspace, {
    files: [
      { name: "a", path: "../secret.txt" },
      { name: "b", path: join(workspace.root, "../secret.txt") },
      { name: "c", path: "link.txt" },
      { name: "d", path: "up/secret.txt" },
      { name: "e", path: "." },
      { name: "f", path: "absent" },
      { name: "g", url: "http://127.0.0.1/x" },
      { name: "h", content_base64: "%%%" },
      { name: "i" },
      { name: "../..", content: "x" },
      { name: "ok.txt", path: "ok.txt" },
    ],
    generated_files: ["/etc/passwd", "../other.txt"],
  });
  const dropped = archived.filter((artifact) => artifact.dropped !== undefined);
  expect(archived).toHaveLength(13);
  expect(dropped).toHaveLength(12);
  expect(dropped.every((artifact) => /^artifacts\.(files|generated_files)\[\d+\]: /.test(artifact.dropped ?? ""))).toBe(
    true,
  );
  expect(dropped.every((artifact) => artifact.path === undefined)).toBe(true);
  expect(readdirSync(archiveOf(workspace))).toEqual(["ok.txt"]);
});

test("inline contents are taken up to 50 MiB each and 200 MiB together [custom-result-bounds-1] [custom-result-bounds-2] [custom-result-bounds-4]", async () => {
  using workspace = temporaryWorkspace();
  const limit = "x".repeat(50 * MIB);
  const archived = await collectIn(workspace, {
    files: [
      { name: "over", content: `${limit}x` },
      { name: "over64", content_base64: Buffer.alloc(50 * MIB + 1).toString("base64") },
      ...Array.from({ length: 4 }, (_, index) => ({ name: `full-${index}`, content: limit })),
      { name: "one-more", content: "x" },
    ],
  });
  expect(archived.map((artifact) => artifact.bytes ?? 0)).toEqual([0, 0, ...Array(4).fill(50 * MIB), 0]);
  expect(archived[0]?.dropped).toContain("artifacts.files[0]");
  expect(archived[0]?.dropped).toContain(String(50 * MIB));
  expect(archived[6]?.dropped).toContain(String(200 * MIB));
});

test("files that do not fit the archive are refused before they are copied, larger ones than a window are whole", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("huge.bin", "");
  truncateSync(join(workspace.root, "huge.bin"), 1024 * MIB + 1);
  workspace.write("windows.bin", "ab".repeat(MIB + 7));
  const archived = await collectIn(workspace, { generated_files: ["huge.bin", "windows.bin"] });
  expect(archived[0]?.dropped).toContain("has no space");
  expect(archived[1]).toMatchObject({ path: "windows.bin", bytes: 2 * MIB + 14 });
  expect(readFileSync(join(archiveOf(workspace), "windows.bin"), "utf8")).toBe("ab".repeat(MIB + 7));
  expect(existsSync(join(archiveOf(workspace), "huge.bin"))).toBe(false);
});

test("artifacts with the same name are all stored, under different names", async () => {
  using workspace = temporaryWorkspace();
  const archived = await collectIn(workspace, {
    files: [
      { name: "a/report.md", content: "1" },
      { name: "b/report.md", content: "22" },
      { name: "REPORT.md", content: "333" },
    ],
  });
  expect(archived.map((artifact) => artifact.path)).toEqual(["report.md", "report-2.md", "REPORT-3.md"]);
});

test("a flood of artifacts is cut off with a note about the others", async () => {
  using workspace = temporaryWorkspace();
  const files = Array.from({ length: 10_002 }, () => ({ name: "..", content: "" }));
  const archived = await collectIn(workspace, { files });
  expect(archived).toHaveLength(10_001);
  expect(archived.at(-1)?.dropped).toContain("2 more");
});

test("an artifact whose media type could become several headers is refused, for any engine [custom-artifacts-1]", async () => {
  using workspace = temporaryWorkspace();
  for (const type of ["text/plain\r\nset-cookie: a=b", "text/plain\u0000", "text/\u2028plain", "\u0085"]) {
    const archived = await collectIn(workspace, { files: [{ name: "a.txt", content: "a", content_type: type }] });
    expect(archived).toEqual([
      { name: "a.txt", dropped: "artifacts.files[0]: content_type contains a control character" },
    ]);
  }
});
