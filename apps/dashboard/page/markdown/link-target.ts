/** Protocols of links that the page offers. */
const PROTOCOLS = ["http:", "https:", "mailto:"];

/** Returns the address of a link in untrusted Markdown; `undefined` if it is not an absolute web or mail address. */
export function linkTarget(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const { protocol, href: address } = new URL(href);
  return PROTOCOLS.includes(protocol) ? address : undefined;
}
