// A proxy with the mistakes of many proxies: it accepts every notation of a host, resolves names before it connects and
// again to connect, checks no address, forwards requests as they are, and looks into no tunnel.
import { lookup } from "node:dns";
import { connect, createServer, type Server, type Socket } from "node:net";
import { CREDENTIAL } from "./attack-rows.ts";

/** Returns the host that a lenient resolver would use. */
function lenientHost(text: string): string {
  const decoded = decodeURIComponent(Buffer.from(text, "latin1").toString("utf8"));
  const [host = ""] = (decoded.split("@").at(-1) ?? "").split(/[\0/\\#]/);
  const plain = host
    .normalize("NFKC")
    .replaceAll("。", ".")
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  return plain.replaceAll("о", "o");
}

function splitAuthority(authority: string, defaultPort: number): { readonly host: string; readonly port: number } {
  const [, host = "", port] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  return { host: lenientHost(host), port: port === undefined ? defaultPort : Number(port) };
}

function forwardedBytes(text: string): string {
  return text
    .replace(/^([^ ]+ )\w+:\/\/[^/ \r\n?]*/, "$1")
    .replace(/^([^ ]+ )( )/, "$1/$2")
    .replace(/^(GET \S*)( HTTP\/1\.1\r\nHost: keyed\.example\r\n)/, `$1$2Authorization: ${CREDENTIAL}\r\n`)
    .replace(/Content-Length: 44\r\n(Connection: close, Content-Length)/, "$1");
}

function serve(client: Socket): void {
  client.on("error", () => {});
  client.once("data", (first: Buffer) => {
    client.pause();
    const text = first.toString("latin1");
    const [, method = "", address = ""] = /^([^ ]+) ([^ \r\n]*)/.exec(text) ?? [];
    const isTunnel = method === "CONNECT";
    const hostHeader = /\nHost: *([^\r\n]*)/.exec(text)?.[1] ?? "";
    const authority = /^\w+:\/\/([^/?]*)/.exec(address)?.[1] ?? (isTunnel ? address : hostHeader);
    const target = splitAuthority(authority, isTunnel ? 443 : 80);
    // The answer is ignored, because the proxy allows every address.
    lookup(target.host, () => {
      const upstream = connect(target, () => {
        const end = text.indexOf("\r\n\r\n") + 4;
        if (isTunnel) client.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.write(Buffer.from(isTunnel ? text.slice(end) : forwardedBytes(text), "latin1"));
        client.pipe(upstream).pipe(client);
      });
      upstream.on("error", () => client.destroy());
    });
  });
}

/** Starts the wrong proxy on a Unix socket. */
export function startWrongProxy(socketPath: string): Promise<Server> {
  const server = createServer(serve);
  return new Promise((resolve) => server.listen(socketPath, () => resolve(server)));
}
