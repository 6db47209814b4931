import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

/** Creates the files of a package registry (`packages.example`) and of a git server (`git.example`). */
export function makeSite(folder: string): string {
  const registry = join(folder, "packages.example");
  const content = join(folder, "content/package");
  for (const path of [content, join(registry, "tiny"), join(folder, "git.example")])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(content, "package.json"), JSON.stringify({ name: "tiny", version: "1.0.0", main: "index.js" }));
  writeFileSync(join(content, "index.js"), "module.exports = 'tiny works';\n");
  const archive = join(registry, "tiny/tiny-1.0.0.tgz");
  execFileSync("tar", ["-czf", archive, "-C", join(folder, "content"), "package"]);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  const dist = { integrity, tarball: "https://packages.example/tiny/tiny-1.0.0.tgz" };
  const versions = { "1.0.0": { name: "tiny", version: "1.0.0", main: "index.js", dist } };
  writeFileSync(
    join(registry, "tiny/index"),
    JSON.stringify({ name: "tiny", "dist-tags": { latest: "1.0.0" }, versions }),
  );
  const bare = join(folder, "git.example/repo.git");
  const git = (...words: string[]): void => {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
    execFileSync("git", [...identity, ...words], { cwd: folder, env, stdio: "ignore" });
  };
  git("init", "-q", "work");
  writeFileSync(join(folder, "work/hello.txt"), "hello from git\n");
  git("-C", "work", "add", "hello.txt");
  git("-C", "work", "commit", "-qm", "hello");
  git("clone", "-q", "--bare", "work", bare);
  git("-C", bare, "update-server-info");
  return folder;
}

/** Serves a file of the site. Returns false if the request is for another host. */
export function serveFiles(site: string, request: IncomingMessage, response: ServerResponse): boolean {
  const host = request.headers.host ?? "";
  if (host !== "packages.example" && host !== "git.example") return false;
  const path = join(site, host, (request.url ?? "").replace(/\?.*/, "").replaceAll("..", ""));
  const file = [path, join(path, "index")].find((candidate) =>
    statSync(candidate, { throwIfNoEntry: false })?.isFile(),
  );
  if (file === undefined) response.writeHead(404, { connection: "close" }).end();
  else response.writeHead(200, { connection: "close" }).end(readFileSync(file));
  return true;
}
