import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Writable } from "node:stream";
import {
  client,
  type FileSystemCapabilities,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { makeFolder, startSwitchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Options for `openEditor`. */
export interface EditorOptions {
  /** Option that the editor selects for approval requests. Default: `allow_once`. */
  readonly answer?: string;
  /** Home folder of an earlier editor. Default: a new folder. */
  readonly home?: string;
  /** Project folder of an earlier editor. Default: a new folder with one file. */
  readonly cwd?: string;
  /** File system capabilities that the editor declares. Default: none. */
  readonly offers?: FileSystemCapabilities | undefined;
  /** Unsaved text of files, by path in the project. */
  readonly unsaved?: Readonly<Record<string, string>>;
  /** Environment variables of the command. */
  readonly env?: Readonly<Record<string, string>>;
  /** Error message for file requests. Default: file requests succeed. */
  readonly fileError?: string;
}

/** File request to the editor. */
interface FileRequest {
  readonly method: "read" | "write";
  readonly path: string;
  readonly content?: string;
}

/** Opens a simulated editor that starts the command `acp`. */
export async function openEditor(words: readonly string[], options: EditorOptions = {}) {
  const { answer = "allow_once", home = await makeFolder(), cwd = await makeFolder({ "a.txt": "one\n" }) } = options;
  const { command } = await startSwitchyard(["acp", ...words], {
    cwd: home,
    env: { ...KEY, HOME: home, ...options.env },
    keepsInput: true,
  });
  const files: FileRequest[] = [];
  const buffers = new Map(Object.entries(options.unsaved ?? {}).map(([name, text]) => [join(cwd, name), text]));
  const failing = (): void => {
    if (options.fileError !== undefined) throw RequestError.internalError({}, options.fileError);
  };
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const app = client({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: "selected", optionId: answer } };
    });
  app
    .onRequest(methods.client.fs.readTextFile, async ({ params: { path } }) => {
      files.push({ method: "read", path });
      failing();
      // Like editors, returns text without byte order mark and carriage returns.
      const saved = async (): Promise<string> =>
        (await readFile(path, "utf8")).replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n");
      return { content: buffers.get(path) ?? (await saved()) };
    })
    .onRequest(methods.client.fs.writeTextFile, async ({ params: { path, content } }) => {
      files.push({ method: "write", path, content });
      failing();
      buffers.set(path, content);
      await writeFile(path, content);
      return {};
    });
  const { stdin, stdout } = command;
  if (stdin === null || stdout === null) throw new Error("the command has no pipes");
  const { agent } = app.connect(ndJsonStream(Writable.toWeb(stdin), toBytes(stdout)));
  const about = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: options.offers === undefined ? {} : { fs: options.offers },
  });
  const open = async () => agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  const load = async (sessionId: string, folder = cwd) =>
    agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
  const say = (sessionId: string, text: string) =>
    agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  const text = (): string =>
    updates
      .map((one) =>
        one.sessionUpdate === "agent_message_chunk" && one.content.type === "text" ? one.content.text : "",
      )
      .join("");
  return { cwd, home, command, agent, about, open, load, say, updates, asked, text, files };
}

/** Converts a Node.js stream to a web stream. `Readable.toWeb` has an incompatible type. */
function toBytes(stream: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      stream.on("data", (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)));
      stream.once("end", () => controller.close());
    },
  });
}
