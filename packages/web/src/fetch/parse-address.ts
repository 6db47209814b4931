import { EngineError } from "@switchyard/contracts";

/** Maximum length of an address, in characters. A longer address is rejected. */
const MAX_LENGTH = 8_192;

function refuse(url: string, problem: string): EngineError {
  return new EngineError("web.invalid_url", { url: url.slice(0, 200), problem });
}

/** Parses a URL and checks that it may be fetched. Throws `web.invalid_url`. */
export function parseAddress(text: string, base?: URL): URL {
  if (text.length > MAX_LENGTH) throw refuse(text, "it is too long");
  if (!URL.canParse(text, base?.href)) throw refuse(text, "it is not a valid address");
  const url = new URL(text, base?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refuse(text, `its scheme is ${url.protocol}`);
  // Rejected, because credentials in a URL would be sent and logged.
  if (url.username !== "" || url.password !== "") throw refuse(`${url.protocol}//${url.host}`, "it has credentials");
  url.hash = "";
  return url;
}
