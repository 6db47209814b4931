// @ts-check
// `node serve-registry.mjs`: an npm registry in memory, on a loopback port that it prints. It accepts published packages
// and serves them: what `npm publish` and `npm install` need, and nothing more.
import { createHash } from "node:crypto";
import { createServer } from "node:http";

/** A published package: metadata by version, and tarballs by file name. */
/** @typedef {{ versions: Record<string, object>, tarballs: Map<string, Buffer> }} Published */

/** @type {Map<string, Published>} */
const packages = new Map();

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname).slice(1);
  /** @type {Buffer[]} */
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (request.method === "PUT") answer(response, 201, publish(Buffer.concat(chunks)));
    else if (path.includes("/-/")) sendTarball(response, path);
    else sendMetadata(response, path);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(address.port);
});

/** Ends with the process that started it. */
process.stdin.resume().on("end", () => process.exit());

/**
 * Stores what `npm publish` sends: a document with one version and its tarball as an attachment.
 * @param {Buffer} body
 * @returns {object}
 */
function publish(body) {
  const { name, versions, _attachments: attachments } = JSON.parse(body.toString("utf8"));
  /** @type {Published} */
  const published = packages.get(name) ?? { versions: {}, tarballs: new Map() };
  for (const [version, manifest] of Object.entries(versions)) {
    const [attachment] = Object.values(attachments);
    const data = Buffer.from(attachment.data, "base64");
    published.tarballs.set(`${version}.tgz`, data);
    const integrity = `sha512-${createHash("sha512").update(data).digest("base64")}`;
    published.versions[version] = { ...manifest, dist: { ...manifest.dist, integrity } };
  }
  packages.set(name, published);
  return { ok: true };
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string} name
 * @returns {void}
 */
function sendMetadata(response, name) {
  const published = packages.get(name);
  if (published === undefined) {
    answer(response, 404, { error: `${name} is not published.` });
    return;
  }
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const versions = Object.entries(published.versions).map(([version, manifest]) => {
    const dist = "dist" in manifest && typeof manifest.dist === "object" ? manifest.dist : {};
    return [version, { ...manifest, dist: { ...dist, tarball: `http://127.0.0.1:${port}/${name}/-/${version}.tgz` } }];
  });
  const [latest] = versions.at(-1) ?? [];
  answer(response, 200, { name, "dist-tags": { latest }, versions: Object.fromEntries(versions) });
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string} path
 * @returns {void}
 */
function sendTarball(response, path) {
  const [name = "", file = ""] = path.split("/-/");
  const data = packages.get(name)?.tarballs.get(file);
  if (data === undefined) answer(response, 404, { error: `${path} is not published.` });
  else response.writeHead(200, { "content-type": "application/octet-stream" }).end(data);
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {object} body
 * @returns {void}
 */
function answer(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
