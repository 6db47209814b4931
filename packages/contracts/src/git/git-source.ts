/** Protocols of repository URLs. Each of them is a protocol of git itself, not of a helper program. */
const PROTOCOLS: ReadonlySet<string> = new Set(["https:", "ssh:", "file:"]);
const MAX_URL = 2048;
/**
 * Encoded slashes, backslashes and control characters. Git would decode them only after the URL was compared with the
 * allowed prefixes.
 */
const ENCODED = /%(?:2f|5c|[01][0-9a-f]|7f)/iu;

/**
 * Checks whether a text is the URL of a repository that a run may check out. Returns what is wrong with the URL;
 * `undefined` if it is valid. Texts that git would interpret as an option, as a command (`ext::`) or as an address of
 * another form are rejected.
 */
export function gitUrlProblem(text: string): string | undefined {
  if (text.length > MAX_URL) return `it is longer than ${MAX_URL} characters`;
  if (!/^[\x21-\x7e]+$/u.test(text) || text.includes("\\")) return "it contains spaces or other forbidden characters";
  if (!/^(?:https|ssh|file):\/\//u.test(text) || !URL.canParse(text)) {
    return "it does not start with https://, ssh:// or file:///";
  }
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (!PROTOCOLS.has(protocol)) return "it does not start with https://, ssh:// or file:///";
  if (password !== "" || (protocol === "https:" && username !== "")) {
    return "it contains a credential; name a credential of the worker instead";
  }
  if (username.startsWith("-") || hostname.startsWith("-")) return "its user or host starts with a dash";
  if (search !== "" || hash !== "") return "it contains a query or a fragment";
  if (protocol === "file:" && hostname !== "") return "a file URL cannot name a host";
  if (ENCODED.test(text)) return "it contains encoded slashes or control characters";
  return undefined;
}

/** Returns a repository URL in the form in which URLs are compared: without `.` and `..`, with a lower-case host. */
export function normaliseGitUrl(url: string): string {
  return new URL(url).href;
}

const MAX_REF = 255;

/** Returns whether a text is a branch, a tag or a commit that git cannot interpret as an option or a refspec. */
export function isGitRef(text: string): boolean {
  return (
    /^[A-Za-z0-9_][\w./@+#-]*$/u.test(text) && text.length <= MAX_REF && !/\.\.|@\{|\/\/|[./]$|\.lock$/u.test(text)
  );
}
