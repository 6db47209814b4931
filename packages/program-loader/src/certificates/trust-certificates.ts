import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const CERTIFICATE = /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END \1CERTIFICATE-----/g;
/** Maximum number of files read from a folder. Further files are ignored. */
const MAX_FILES = 2_000;

/**
 * Trusts the certificates in `SSL_CERT_FILE` and `SSL_CERT_DIR` for all connections of this process, in addition to
 * those of Node and `NODE_EXTRA_CA_CERTS`. Node ignores these variables, but most other programs honor them. Unreadable
 * files are skipped.
 */
export function trustCertificates(env: NodeJS.ProcessEnv): void {
  const { SSL_CERT_FILE: file = "", SSL_CERT_DIR: folders = "" } = env;
  if (file === "" && folders === "") return;
  const found = [file, ...folders.split(delimiter).flatMap(filesIn)].flatMap(certificatesIn);
  // Uses the `node:tls` module object, because the exports of an ES import cannot be replaced. Loaded on demand,
  // because loading it slows down every start.
  const tls = process.getBuiltinModule("node:tls");
  const known = new Set(tls.rootCertificates.map(bodyOf));
  const added = [...new Map(found.map((pem) => [bodyOf(pem), pem]))].filter(([body]) => !known.has(body));
  if (added.length === 0) return;
  const create = tls.createSecureContext;
  // Node 20 has no setting for additional certificates. Connections with an explicit list of certificate authorities
  // (`ca`) are not changed.
  Reflect.set(tls, "createSecureContext", (options?: Parameters<typeof create>[0]) => {
    const context = create(options);
    if (options?.ca === undefined) for (const [, pem] of added) addAuthority(context, pem);
    return context;
  });
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}

function filesIn(folder: string): string[] {
  if (folder === "") return [];
  try {
    return readdirSync(folder)
      .slice(0, MAX_FILES)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function certificatesIn(path: string): string[] {
  if (path === "") return [];
  try {
    return readFileSync(path, "latin1").match(CERTIFICATE) ?? [];
  } catch {
    return [];
  }
}

function bodyOf(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, "");
}

function addAuthority(context: { readonly context: unknown }, pem: string): void {
  const native: unknown = context.context;
  if (typeof native !== "object" || native === null || !("addCACert" in native)) return;
  const { addCACert } = native;
  if (typeof addCACert !== "function") return;
  try {
    Reflect.apply(addCACert, native, [pem]);
  } catch {
    // Not a certificate.
  }
}
