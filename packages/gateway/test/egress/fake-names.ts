import { isIPv6 } from "node:net";

const A = 1;
const AAAA = 28;
/** Public addresses of names without an address in them. */
const PUBLIC_V4 = "93.184.216.34";
const ATTACKER_V4 = "66.66.66.66";

/** Numbers of queries for the IPv4 addresses of `flip-…` names. */
const queries = new Map<string, number>();

/** Returns how often the IPv4 addresses of a `flip-…` name were queried. */
export function queriesOf(name: string): number {
  return queries.get(name) ?? 0;
}

/**
 * Addresses of a name. `at-127-0-0-1.…` has the address in its name, and `at6-0-0-0-0-0-0-0-1.…` an IPv6 address;
 * `mixed-…` has a public address before it. The first answer for `flip-….` is a public address, and later answers are
 * the address in its name.
 */
function addressesOf(name: string, type: number): readonly string[] {
  const [label = ""] = name.split(".");
  const [kind, ...parts] = label.split("-");
  const v4 = type === A;
  switch (kind) {
    case "at":
      return v4 ? [parts.join(".")] : [];
    case "at6":
      return v4 ? [] : [parts.join(":")];
    case "mixed":
      return v4 ? [PUBLIC_V4, parts.join(".")] : [];
    case "mixed6":
      return v4 ? [PUBLIC_V4] : [parts.join(":")];
    case "flip":
      if (!v4) return [];
      queries.set(name, queriesOf(name) + 1);
      return [queriesOf(name) === 1 ? PUBLIC_V4 : parts.join(".")];
    case "none":
      return [];
    default:
      if (!v4) return [];
      return [/(?:^|\.)(?:good|wild|keyed|packages|git|listed)\.example$/.test(name) ? PUBLIC_V4 : ATTACKER_V4];
  }
}

function toBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split(".").map(Number));
  const bytes = Buffer.alloc(16);
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const [start = [], end = []] = groups.map((part) => part.split(":").filter((group) => group !== ""));
  const all = [...start, ...Array.from({ length: 8 - start.length - end.length }, () => "0"), ...end];
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}

/** Returns the queried name and the answer for a DNS query with one question. */
export function answerQuery(query: Buffer): { readonly name: string; readonly answer: Buffer } {
  const labels: string[] = [];
  let offset = 12;
  while ((query[offset] ?? 0) !== 0) {
    const end = offset + 1 + (query[offset] ?? 0);
    labels.push(query.toString("latin1", offset + 1, end));
    offset = end;
  }
  const name = labels.join(".").toLowerCase();
  const type = query.readUInt16BE(offset + 1);
  const question = query.subarray(12, offset + 5);
  const answers = type === A || type === AAAA ? addressesOf(name, type).map(toBytes) : [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  const records = answers.map((address) => {
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(address.length, 10);
    return Buffer.concat([record, address]);
  });
  return { name, answer: Buffer.concat([header, question, ...records]) };
}
