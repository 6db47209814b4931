/** Where files and processes of a run live, as the option `--env` names it. */
export type Place =
  | { readonly type: "local" | "sandbox" | "memory" }
  | { readonly type: "docker" | "kubernetes"; readonly image: string }
  | { readonly type: "docker"; readonly container: string; readonly folder?: string | undefined }
  | {
      readonly type: "kubernetes";
      readonly pod: string;
      readonly container?: string | undefined;
      readonly folder?: string | undefined;
    }
  | {
      readonly type: "ssh";
      readonly host: string;
      readonly user?: string | undefined;
      readonly port?: number | undefined;
      readonly folder?: string | undefined;
    };

/** Why a text names no place: one sentence that says what to write. */
export interface PlaceProblem {
  readonly problem: string;
}

const MAX_PORT = 65_535;
const IMAGE = /^[a-zA-Z0-9][\w.\-/:]*(?:@sha256:[0-9a-f]{64})?$/;
const CONTAINER = /^[a-zA-Z0-9][\w.-]*$/;
const POD = /^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/;
const USER = /^[A-Za-z0-9_][\w.@+-]*$/;
const HOST = /^[A-Za-z0-9_][\w.-]*$/;
const ADDRESS = /^\[([0-9A-Fa-f:.]+(?:%[\w.-]+)?)\]$/;
const FOLDER = /^\/(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\p{Cc}]*$/u;

/** Reads the place that a text names. Never throws. */
export function parsePlace(text: string): Place | PlaceProblem {
  if (text === "local" || text === "sandbox" || text === "memory") return { type: text };
  const colon = text.indexOf(":");
  const rest = text.slice(colon + 1);
  switch (colon === -1 ? "" : text.slice(0, colon)) {
    case "docker":
      return rest.startsWith("@") ? parseContainer(rest.slice(1)) : parseImage("docker", rest);
    case "k8s":
      return rest.startsWith("@") ? parsePod(rest.slice(1)) : parseImage("kubernetes", rest);
    case "ssh":
      return parseHost(rest);
    default:
      return { problem: unknownPlace(text) };
  }
}

function unknownPlace(text: string): string {
  const [word = ""] = text.split(":");
  const meant = { docker: "docker:IMAGE", podman: "docker:IMAGE", ssh: "ssh:HOST", k8s: "k8s:@POD" };
  if (/^kube/.test(word)) return "Write k8s:@POD or k8s:IMAGE.";
  const known = Object.entries(meant).find(([name]) => name === word);
  if (known !== undefined) return `Write ${known[1]}, with a name in its place.`;
  return "Write local, sandbox, memory, docker:IMAGE, docker:@CONTAINER, ssh:HOST, k8s:@POD or k8s:IMAGE.";
}

function parseImage(type: "docker" | "kubernetes", image: string): Place | PlaceProblem {
  if (IMAGE.test(image)) return { type, image };
  const name = type === "docker" ? "docker" : "k8s";
  return { problem: `Write the name of an image behind ${name}:, such as ${name}:debian:12.` };
}

function parseContainer(text: string): Place | PlaceProblem {
  const { name, folder } = cutFolder(text, ":");
  if (!CONTAINER.test(name)) {
    return { problem: "Write the name or id of a container, such as docker:@web or docker:@web:/app." };
  }
  if (folder !== undefined && !FOLDER.test(folder)) return folderProblem("docker:@web:/app");
  return { type: "docker", container: name, folder };
}

function parsePod(text: string): Place | PlaceProblem {
  const { name, folder } = cutFolder(text, ":");
  const [pod = "", container, ...more] = name.split("/");
  const isNamed = POD.test(pod) && (container === undefined || POD.test(container)) && more.length === 0;
  if (!isNamed) return { problem: "Write the name of a pod, such as k8s:@web, k8s:@web/app or k8s:@web/app:/srv." };
  if (folder !== undefined && !FOLDER.test(folder)) return folderProblem("k8s:@web:/srv");
  return { type: "kubernetes", pod, container, folder };
}

function parseHost(text: string): Place | PlaceProblem {
  const { name, folder } = cutFolder(text, "");
  const at = name.lastIndexOf("@");
  const user = at === -1 ? undefined : name.slice(0, at);
  const [, bracketed, plain, digits] = /^(?:(\[[^\]]*\])|([^:]*))(?::(.*))?$/.exec(name.slice(at + 1)) ?? [];
  const host = bracketed === undefined ? plain : ADDRESS.exec(bracketed)?.[1];
  if (user?.includes(":") === true) {
    return { problem: "Leave the password out: ssh takes keys, from your agent or your ssh configuration." };
  }
  const isNamed = host !== undefined && (bracketed !== undefined || HOST.test(host));
  if (!isNamed || (user !== undefined && !USER.test(user))) {
    return { problem: "Write ssh:[USER@]HOST[:PORT][/folder], such as ssh:me@build.example.org/srv/project." };
  }
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && !(/^\d{1,5}$/.test(digits ?? "") && port >= 1 && port <= MAX_PORT)) {
    return { problem: `Write the port as a number from 1 to ${MAX_PORT}, and a folder behind it with its slash.` };
  }
  if (folder !== undefined && !FOLDER.test(folder)) return folderProblem("ssh:host/srv/project");
  return { type: "ssh", host, user, port, folder };
}

/** The folder begins at the first slash that the separator stands in front of. */
function cutFolder(text: string, separator: string): { name: string; folder?: string | undefined } {
  const index = text.indexOf(`${separator}/`);
  return index === -1 ? { name: text } : { name: text.slice(0, index), folder: text.slice(index + separator.length) };
}

function folderProblem(example: string): PlaceProblem {
  return { problem: `Write the folder as an absolute path without . and .., such as ${example}.` };
}
