import assert from "node:assert/strict";
import type { SessionArtifacts } from "@switchyard/contracts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import {
  type CaseRun,
  type CaseSetting,
  DONE,
  failureOf,
  resultOf,
  type TransportBench,
  type TransportRun,
  warningsOf,
} from "./transport-bench.ts";

function declares(artifacts: unknown): CaseSetting {
  return { does: { answer: { ...DONE, artifacts } } };
}

const ARTIFACT = { name: "kept.txt", path: "out/kept.txt" } as const;
const FILES: CaseRun = { files: { "out/kept.txt": "kept", "out/other.txt": "other" } };

/**
 * Asserts that the result contains only the valid ones of the given artifact paths. The paths are declared both as
 * `files` and as `generated_files`. Each invalid path must cause a warning.
 */
async function assertDropped(bench: TransportBench, paths: readonly string[], run: CaseRun = FILES): Promise<void> {
  const files = [ARTIFACT, ...paths.map((path) => ({ name: "dropped", path }))];
  const declared = declares({ files, generated_files: [...paths, ARTIFACT.path] });
  const done = await bench.run(declared, run);
  const { artifacts } = resultOf(done);
  assert.deepEqual(artifacts?.files, [ARTIFACT]);
  assert.deepEqual(artifacts?.generated_files, [ARTIFACT.path]);
  assertWarnings(done, 2 * paths.length);
}

function assertWarnings(run: TransportRun, count: number): void {
  assert.equal(warningsOf(run).length, count, `warnings: ${warningsOf(run).join(" | ")}`);
}

/** Asserts that the engine's result is rejected with a message that names the artifact. */
async function assertRefused(bench: TransportBench, files: readonly unknown[], pattern: RegExp): Promise<void> {
  const run = await bench.run(declares({ files }));
  const { message } = failureOf(run, "result.invalid", "result.too_large");
  assert.match(message, pattern);
}

/** Conformance cases for artifacts declared by an engine. */
export const artifactCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "transport/artifacts-kept",
    requirement: ["custom-artifacts-7", "custom-artifacts-9", "custom-artifacts-13", "custom-artifact-url-1"],
    title: "Passes artifacts declared by path, URL, text and base64 to the host unchanged",
    async check(bench) {
      const artifacts: SessionArtifacts = {
        workspace_diff: "diff --git a b",
        generated_files: ["out/kept.txt", "./out/other.txt"],
        files: [
          { name: "kept.txt", path: "out/kept.txt", content_type: "text/plain" },
          { name: "remote.html", url: "https://files.example/report.html?a=b", content_type: "text/html" },
          { name: "plain.html", url: "http://files.example/report.html" },
          { name: "summary.json", content: '{"status":"pass"}', content_type: "application/json" },
          { name: "empty.txt", content: "" },
          { name: "image.png", content_base64: Buffer.from([0, 255, 1]).toString("base64") },
        ],
        logs: "agent logs",
      };
      const run = await bench.run(declares(artifacts), FILES);
      assert.deepEqual(resultOf(run).artifacts, artifacts);
      assertWarnings(run, 0);
    },
  },
  {
    id: "transport/artifacts-no-name",
    requirement: ["custom-artifacts-2", "custom-result-bounds-5"],
    title: "Rejects a result in which an artifact has no name, and identifies the artifact",
    async check(bench) {
      const good = { name: "good", content: "" };
      await assertRefused(bench, [good, { content: "x" }], /artifacts\.files\[1\]/);
      await assertRefused(bench, [{ name: "", content: "x" }], /artifacts\.files\[0\].*name/);
      await assertRefused(bench, [good, good, { name: " ", path: "a" }], /artifacts\.files\[2\].*name/);
    },
  },
  {
    id: "transport/artifacts-no-source",
    requirement: "custom-artifacts-3",
    title: "Rejects a result in which an artifact has no path, URL or content",
    async check(bench) {
      await assertRefused(bench, [{ name: "a" }], /artifacts\.files\[0\].*path.*url.*content/);
      await assertRefused(bench, [{ name: "a", path: "", url: "", content_type: "text/plain" }], /files\[0\]/);
    },
  },
  {
    id: "transport/artifacts-wrong-types",
    requirement: "custom-session-result-9",
    title: "Rejects a result in which an artifact has a field of a wrong type",
    async check(bench) {
      for (const file of ["report.md", { name: 1, content: "" }, { name: "a", content: {} }, { name: "a", path: [] }]) {
        await assertRefused(bench, [file], /artifacts/);
      }
    },
  },
  {
    id: "transport/artifacts-outside",
    requirement: ["custom-artifacts-5", "custom-artifacts-6", "custom-artifacts-8", "custom-confinement-3"],
    title: "Drops artifact paths that lead out of the workspace with a warning, and continues the run",
    check: (bench) =>
      assertDropped(bench, ["../outside.txt", "out/../../outside.txt", "/etc/passwd", "../../../../etc/passwd"]),
  },
  {
    id: "transport/artifacts-sibling",
    requirement: "custom-confinement-7",
    title: "Treats a folder whose name begins like the workspace's as outside",
    async check(bench) {
      const { environment } = await bench.open();
      const name = environment.workingDirectory.split("/").at(-1) ?? "";
      await assertDropped(bench, [`../${name}-evil/secret.txt`, `${environment.workingDirectory}-evil/secret.txt`]);
    },
  },
  {
    id: "transport/artifacts-links",
    requirement: ["custom-confinement-4", "custom-artifacts-5", "custom-artifacts-6"],
    title: "Drops artifact paths that symbolic links lead out of the workspace, even if the target does not exist yet",
    async check(bench) {
      const { environment } = await bench.open();
      const output = await environment.shell("ln -s / way-out && ln -s /etc/passwd file-out");
      applies(output.exitCode === 0, "symbolic links cannot be created in this environment");
      const script = "ln -s / way-out && ln -s /etc/passwd file-out";
      await assertDropped(bench, ["way-out/etc/passwd", "file-out", "way-out/not/there/yet"], { ...FILES, script });
    },
  },
  {
    id: "transport/artifacts-schemes",
    requirement: "custom-artifact-url-1",
    title: "Drops artifact URLs that are not http(s) with a warning",
    async check(bench) {
      const urls = [
        "file:///etc/passwd",
        "ftp://files.example/a",
        "javascript:alert(1)",
        "data:,a",
        "//files.example/a",
      ];
      const files = [ARTIFACT, ...urls.map((url) => ({ name: "dropped", url }))];
      const run = await bench.run(declares({ files }), FILES);
      assert.deepEqual(resultOf(run).artifacts?.files, [ARTIFACT]);
      assertWarnings(run, urls.length);
    },
  },
  {
    id: "transport/artifacts-too-many",
    requirement: "custom-session-result-9",
    title: "Drops the entries above the maximum of a long artifact list, with a short warning",
    async check(bench) {
      const generated_files = Array.from({ length: 60_000 }, (_, index) => `../${index}`);
      const files = generated_files.map((path) => ({ name: "a", path: path.slice(3) }));
      const run = await bench.run(declares({ generated_files, files }));
      const { artifacts = {} } = resultOf(run);
      assert.deepEqual(artifacts.generated_files, []);
      assert.ok((artifacts.files?.length ?? 0) < files.length, "no artifact was dropped");
      const { length } = warningsOf(run);
      assert.ok(length > 1 && length < 1_000, `${length} warnings`);
    },
  },
  {
    id: "transport/artifacts-too-large",
    requirement: ["custom-result-bounds-1", "custom-result-bounds-4"],
    title: "Rejects a result with more than 50 MB of inline content and identifies the artifact, but accepts 50 MB",
    async check(bench) {
      const files = [
        { name: "small", content: "" },
        { name: "large", content: "@fill@" },
      ];
      const limit = 50 * 1024 * 1024;
      const answer = { ...DONE, artifacts: { files } };
      const large = await bench.run({ does: { answer, fill: limit + 1 } });
      assert.match(failureOf(large, "result.too_large").message, /artifacts\.files\[1\]/);
      const fitting = await bench.run({ does: { answer, fill: limit } });
      assert.equal(resultOf(fitting).artifacts?.files?.[1]?.content?.length, limit);
    },
  },
];
