import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { makeFolder } from "./open-server.ts";

const run = promisify(execFile);

/** A git server over https on loopback, with the repository `/team/app.git`. */
export interface GitServer {
  /** Base URL, such as `https://localhost:1234`. */
  readonly url: string;
  /** Path of the certificate that git must trust. */
  readonly certificate: string;
  /** Id of the commit on the branch `main`. */
  readonly commit: string;
  /** Authorization header of each request. */
  readonly authorizations: readonly (string | undefined)[];
  /** Commits another content of the file `a.txt`, and resolves with the commit's id. */
  push(content: string): Promise<string>;
}

/** Starts a git server. Requests below `/team` need the password; requests to `/moved` are redirected to `/team`. */
export async function openGitServer(password: string): Promise<GitServer> {
  const folder = await makeFolder();
  const openssl = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  await run("openssl", [...openssl, "-keyout", "key.pem", "-out", "cert.pem", ...names], { cwd: folder });
  const repository = join(folder, "root", "team", "app.git");
  await mkdir(repository, { recursive: true });
  const source = join(folder, "source");
  await mkdir(source);
  const git = async (...argv: string[]): Promise<string> =>
    (await run("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...argv], { cwd: source })).stdout.trim();
  await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", repository]);
  await git("init", "--quiet", "--initial-branch=main");
  const push = async (content: string): Promise<string> => {
    await writeFile(join(source, "a.txt"), content);
    await git("add", "--all");
    await git("commit", "--quiet", "-m", "change");
    await git("push", "--quiet", repository, "main");
    return git("rev-parse", "HEAD");
  };
  const commit = await push("committed\n");
  const authorizations: (string | undefined)[] = [];
  const expected = `Basic ${Buffer.from(`robot:${password}`).toString("base64")}`;
  const [key, cert] = [await readFile(join(folder, "key.pem")), await readFile(join(folder, "cert.pem"))];
  const server = createServer({ key, cert }, (request, response) => {
    authorizations.push(request.headers.authorization);
    const path = request.url ?? "";
    if (path.startsWith("/moved")) response.writeHead(302, { location: path.replace("/moved", "/team") }).end();
    else if (request.headers.authorization !== expected) response.writeHead(401).end();
    else serve(request, response, join(folder, "root"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `https://localhost:${port}`, certificate: join(folder, "cert.pem"), commit, authorizations, push };
}

const EXEC_PATH = execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim();

/** Answers a request with git's own CGI program. */
function serve(request: IncomingMessage, response: ServerResponse, root: string): void {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const child = spawn(join(EXEC_PATH, "git-http-backend"), [], {
    env: {
      ...{ PATH: process.env["PATH"], GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: "1", PATH_INFO: path },
      ...{ QUERY_STRING: query, REQUEST_METHOD: request.method, CONTENT_TYPE: request.headers["content-type"] },
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf("\r\n\r\n");
    const headers = output.subarray(0, end).toString().split("\r\n");
    const status = headers.find((line) => line.startsWith("Status: "))?.slice(8, 11) ?? "200";
    const sent = headers.filter((line) => !line.startsWith("Status: ")).map((line) => line.split(": "));
    response.writeHead(Number(status), Object.fromEntries(sent)).end(output.subarray(end + 4));
  });
}
