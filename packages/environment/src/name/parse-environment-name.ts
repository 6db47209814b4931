/** Type and settings of a run's environment, parsed from the environment's name. */
export type EnvironmentName =
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

/** Result for a text that is not a valid environment name. */
export interface EnvironmentNameProblem {
  /** Sentence for the user that describes the correct syntax. */
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

/**
 * Parses the name of an environment: `local`, `sandbox`, `memory`, `docker:IMAGE`, `docker:@CONTAINER[:/folder]`,
 * `k8s:IMAGE`, `k8s:@POD[/CONTAINER][:/folder]` or `ssh:[USER@]HOST[:PORT][/folder]`. Never throws: an invalid name
 * returns a `problem`.
 */
export function parseEnvironmentName(text: string): EnvironmentName | EnvironmentNameProblem {
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
      return { problem: unknownName(text) };
  }
}

function unknownName(text: string): string {
  const [kind = ""] = text.split(":");
  const meant = { docker: "docker:IMAGE", podman: "docker:IMAGE", ssh: "ssh:HOST", k8s: "k8s:@POD" };
  if (/^kube/.test(kind)) return "Write k8s:@POD or k8s:IMAGE.";
  const known = Object.entries(meant).find(([name]) => name === kind);
  if (known !== undefined) return `Write ${known[1]}. Replace the word in capitals with a name.`;
  return "Write local, sandbox, memory, docker:IMAGE, docker:@CONTAINER, ssh:HOST, k8s:@POD or k8s:IMAGE.";
}

function parseImage(type: "docker" | "kubernetes", image: string): EnvironmentName | EnvironmentNameProblem {
  if (IMAGE.test(image)) return { type, image };
  const name = type === "docker" ? "docker" : "k8s";
  return { problem: `Write the name of an image after ${name}:, such as ${name}:debian:12.` };
}

function parseContainer(text: string): EnvironmentName | EnvironmentNameProblem {
  const { name, folder } = cutFolder(text, ":");
  if (!CONTAINER.test(name)) {
    return { problem: "Write the name or id of a container, such as docker:@web or docker:@web:/app." };
  }
  if (folder !== undefined && !FOLDER.test(folder)) return folderProblem("docker:@web:/app");
  return { type: "docker", container: name, folder };
}

function parsePod(text: string): EnvironmentName | EnvironmentNameProblem {
  const { name, folder } = cutFolder(text, ":");
  const [pod = "", container, ...more] = name.split("/");
  const isNamed = POD.test(pod) && (container === undefined || POD.test(container)) && more.length === 0;
  if (!isNamed) return { problem: "Write the name of a pod, such as k8s:@web, k8s:@web/app or k8s:@web/app:/srv." };
  if (folder !== undefined && !FOLDER.test(folder)) return folderProblem("k8s:@web:/srv");
  return { type: "kubernetes", pod, container, folder };
}

function parseHost(text: string): EnvironmentName | EnvironmentNameProblem {
  const { name, folder } = cutFolder(text, "");
  const at = name.lastIndexOf("@");
  const user = at === -1 ? undefined : name.slice(0, at);
  const [, bracketed, plain, digits] = /^(?:(\[[^\]]*\])|([^:]*))(?::(.*))?$/.exec(name.slice(at + 1)) ?? [];
  const host = bracketed === undefined ? plain : ADDRESS.exec(bracketed)?.[1];
  if (user?.includes(":") === true) {
    return { problem: "Remove the password: ssh uses keys from your agent or your ssh configuration." };
  }
  const isNamed = host !== undefined && (bracketed !== undefined || HOST.test(host));
  if (!isNamed || (user !== undefined && !USER.test(user))) {
    return { problem: "Write ssh:[USER@]HOST[:PORT][/folder], such as ssh:me@build.example.org/srv/project." };
  }
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && !(/^\d{1,5}$/.test(digits ?? "") && port >= 1 && port <= MAX_PORT)) {
    return {
      problem: `Write the port as a number from 1 to ${MAX_PORT}. A folder after the port starts with a slash.`,
    };
  }
  if (folder !== undefined && !FOLDER.test(folder)) return folderProblem("ssh:host/srv/project");
  return { type: "ssh", host, user, port, folder };
}

/** Splits a text into a name and a folder. The folder starts at the first slash after the separator. */
function cutFolder(text: string, separator: string): { name: string; folder?: string | undefined } {
  const index = text.indexOf(`${separator}/`);
  return index === -1 ? { name: text } : { name: text.slice(0, index), folder: text.slice(index + separator.length) };
}

function folderProblem(example: string): EnvironmentNameProblem {
  return { problem: `Write the folder as an absolute path without . or .., such as ${example}.` };
}
