import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMasker, REDACTED, secret } from "../index.ts";

// Test secrets are assembled at run time, so that no text in this file has the format of a credential.
const VALUE = ["pa/ss", "\"w'o<r>d&", "$`x\\ \u00e9+1"].join("-");
const PLAIN = "hunter2-hunter2";

/** Independent base32 encoder, which encodes digit by digit. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** All supported encodings, implemented independently of the masker. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  "JSON text": (text) => JSON.stringify({ a: text }),
  "JSON inside of JSON": (text) => JSON.stringify(JSON.stringify({ a: text })),
  "JSON with escaped slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "JSON in ASCII": (text) =>
    JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "URI component": (text) => `https://h/?q=${encodeURIComponent(text)}`,
  "whole URI": (text) => encodeURI(`https://h/?q=${text}`),
  "URI component in lower case": (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  "form field": (text) => new URLSearchParams({ q: text }).toString(),
  "query of a URL": (text) => {
    const url = new URL("https://h/");
    url.searchParams.set("q", text);
    return url.href;
  },
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64 after one byte": (text) => Buffer.from(`u${text}`).toString("base64"),
  "base64 after two bytes": (text) => Buffer.from(`u:${text}`).toString("base64"),
  "base64 in the middle": (text) => Buffer.from(`user:${text}@rest of the line`).toString("base64"),
  base64url: (text) => Buffer.from(`?>${text}?>`).toString("base64url"),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "base32 after one to five bytes": (text) =>
    [1, 2, 3, 4, 5].map((size) => base32(`${"u".repeat(size)}${text}`)).join(),
  "base32 in wrapped lines": (text) => (base32(`user:${text} end`).match(/.{1,20}/g) ?? []).join("\n"),
  "quoted-printable": (text) =>
    [...Buffer.from(text)]
      .map((byte) => (byte < 127 && byte !== 61 ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase()}`))
      .join(""),
  "UTF-16 read as single bytes": (text) => Buffer.from(text, "utf16le").toString("latin1"),
  "big-endian UTF-16 read as single bytes": (text) => Buffer.from(text, "utf16le").swap16().toString("latin1"),
  "UTF-16 in hex": (text) => Buffer.from(text, "utf16le").toString("hex"),
  "UTF-16 in base64": (text) => Buffer.from(`echo ${text}`, "utf16le").toString("base64"),
  "single quotes of a shell": (text) => `export A='${text.replaceAll("'", "'\\''")}'`,
  "double quotes of a shell": (text) => `export A="${text.replace(/[\\"$`]/g, "\\$&")}"`,
  markup: (text) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
};

describe("a known value is replaced by the marker [custom-masking-2]", () => {
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    test(`as ${name}`, () => {
      const masker = createMasker([secret(VALUE), PLAIN]);
      for (const value of [VALUE, PLAIN]) {
        const masked = masker.mask(`before ${encode(value)} after`);
        expect(masked).toContain(REDACTED);
        expect(masked.startsWith("before ")).toBe(true);
        expect(masked.endsWith(" after")).toBe(true);
        expect(createMasker([value]).mask(masked)).toBe(masked);
        // The middle of the encoded value must not remain. Characters at its edges may, because base64 shares them with
        // neighbouring bytes.
        const encoded = encode(value);
        const body = encoded.slice(Math.floor(encoded.length / 2) - 4, Math.floor(encoded.length / 2) + 4);
        expect(masked).not.toContain(body);
      }
    });
  }
});

test("values under eight characters are masked only as declared keys [custom-masking-3]", () => {
  expect(createMasker(["short12"]).mask("a short12 b")).toBe("a short12 b");
  expect(createMasker([], { keys: ["short12", "ab"] }).mask("a short12 ab")).toBe(`a ${REDACTED} ${REDACTED}`);
  expect(createMasker(["", "   "], { keys: [""] }).mask("a  b")).toBe("a  b");
});

test("each longer line of a multi-line value is masked separately", () => {
  const masker = createMasker(["first-line-of-it\r\nsecond-line-of-it\nend\n"]);
  expect(masker.mask("x second-line-of-it y")).toBe(`x ${REDACTED} y`);
  expect(masker.mask("  first-line-of-it")).toBe(`  ${REDACTED}`);
  expect(masker.mask("the end")).toBe("the end");
});

test("a value read from a file is also masked without its line end", () => {
  expect(createMasker([`${PLAIN}\n`]).mask(`[${PLAIN}]`)).toBe(`[${REDACTED}]`);
});

test("the longest value wins, and overlapping values are masked completely [custom-masking-8]", () => {
  expect(createMasker(["abcdefgh", "abcdefghijkl"]).mask("abcdefghijkl")).toBe(REDACTED);
  expect(createMasker(["abcdefgh", "efghijkl"]).mask("abcdefghijkl")).toBe(REDACTED);
  expect(createMasker(["abcdefgh", "hijklmno"]).mask("abcdefghijklmno")).toBe(REDACTED);
  expect(createMasker([], { keys: ["abcdef", "bc", "de"] }).mask("abcdef bcde")).toBe(
    `${REDACTED} ${REDACTED}${REDACTED}`,
  );
  expect(createMasker([PLAIN]).mask(PLAIN + PLAIN)).toBe(REDACTED + REDACTED);
});

test("a text without secrets is returned unchanged", () => {
  expect(createMasker([PLAIN]).mask("hunter2-hunter and more")).toBe("hunter2-hunter and more");
  expect(createMasker([]).mask(PLAIN)).toBe(PLAIN);
});

test("the stream holds back only possible prefixes of a secret", () => {
  const stream = createMasker([PLAIN]).stream();
  expect(stream.write("nothing to hide, ")).toBe("nothing to hide, ");
  expect(stream.write("hunter2")).toBe("");
  expect(stream.write("!")).toBe("hunter2!");
  expect(stream.write("hunter2-hun")).toBe("");
  expect(stream.write("ter2 ok")).toBe(`${REDACTED} ok`);
  expect(stream.write("hunter2-")).toBe("");
  expect(stream.end()).toBe("hunter2-");
  expect(stream.write(PLAIN) + stream.end()).toBe(REDACTED);
});

test("a repeated secret is held back only for the length of the secret", () => {
  const stream = createMasker(["aaaaaaaa"]).stream();
  let written = "";
  for (let index = 0; index < 1000; index += 1) written += stream.write("a".repeat(100));
  expect(`${written}${stream.end()}`).toBe(REDACTED);
});

const letters = fc.string({
  unit: fc.constantFrom("a", "b", "c", "*", "R", "D", "é", "\n", "\u{1f600}"),
  maxLength: 40,
});
const secrets = fc.array(
  fc.string({ unit: fc.constantFrom("a", "b", "*", "D", "é", "\u{1f600}"), minLength: 1, maxLength: 12 }),
  {
    maxLength: 4,
  },
);

function chunksOf(text: string, cuts: readonly number[]): string[] {
  const offsets = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((left, right) => left - right);
  return [0, ...offsets].map((start, index) => text.slice(start, offsets[index] ?? text.length));
}

test("a stream's output equals that of the whole text, for any split [custom-masking-7]", () => {
  fc.assert(
    fc.property(secrets, fc.array(letters), fc.array(fc.nat()), (keys, pieces, cuts) => {
      const masker = createMasker(keys, { keys });
      const text = pieces.flatMap((piece, index) => [piece, keys[index % Math.max(1, keys.length)] ?? ""]).join("");
      const stream = masker.stream();
      const streamed = chunksOf(text, cuts).map((chunk) => stream.write(chunk));
      expect(streamed.join("") + stream.end()).toBe(masker.mask(text));
    }),
    { numRuns: 500, examples: [[["😀😀a", "*", "aaaa😀", "😀a"], ["", "", "", "\n"], [974_956_127]]] },
  );
});

test("a folded secret that starts inside another secret with characters beyond ASCII is masked completely", () => {
  const masker = createMasker(["abcdefgh€", "€12345678"]);
  expect(masker.mask("see abcdefgh€\n12345678 there")).toBe(`see ${REDACTED} there`);
  expect(masker.mask("see abcdefgh\n12345678 there")).toBe("see abcdefgh\n12345678 there");
});

test("no occurrence of a secret remains, and masking is idempotent", () => {
  const unit = fc.constantFrom("a", "b", "c", "-", "é", "*");
  // Values that start or end with `*` are excluded, because they would overlap with an adjacent redaction marker.
  const ordinary = fc.string({ unit, minLength: 8, maxLength: 12 }).filter((value) => !/^\*|\*$/.test(value));
  fc.assert(
    fc.property(fc.array(ordinary, { minLength: 1, maxLength: 4 }), fc.array(letters), (values, pieces) => {
      const masker = createMasker(values);
      const text = pieces.flatMap((piece, index) => [piece, values[index % values.length] ?? ""]).join("");
      const masked = masker.mask(text);
      expect(masker.mask(masked)).toBe(masked);
      for (const value of values) expect(masked.replaceAll(REDACTED, "\0")).not.toContain(value);
    }),
    { numRuns: 500 },
  );
});

/**
 * Simple reference implementation of masking: replaces every range that occurrences of secrets cover. Overlapping
 * ranges are replaced together.
 */
function maskPlainly(text: string, keys: readonly string[]): string {
  const spans: [start: number, end: number][] = [];
  for (const key of keys) {
    for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) spans.push([at, at + key.length]);
  }
  spans.sort(([left], [right]) => left - right);
  const merged: [start: number, end: number][] = [];
  for (const [start, end] of spans) {
    const last = merged.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged.reduceRight((masked, [start, end]) => masked.slice(0, start) + REDACTED + masked.slice(end), text);
}

test("exactly what the secrets cover is masked [custom-masking-8]", () => {
  const abc = fc.constantFrom("a", "b", "c");
  const keysOfAbc = fc.array(fc.string({ unit: abc, minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(keysOfAbc, fc.string({ unit: abc, maxLength: 30 }), (keys, text) => {
      expect(createMasker([], { keys }).mask(text)).toBe(maskPlainly(text, keys));
    }),
    { numRuns: 2000 },
  );
});

test("a secret that starts or ends like the marker is masked completely in one pass", () => {
  for (const value of ["*abcdefgh", "abcdefgh**", "D***abcdefgh", "abcdefgh***RE", "***abcdefgh***"]) {
    const masker = createMasker([value]);
    for (const text of [value, `${value}abcdefgh`, `abcdefgh${value}`, `${value}*abcdefgh*${value}`]) {
      const masked = masker.mask(text);
      expect(masked).not.toContain(value);
      expect(masker.mask(masked)).toBe(masked);
    }
  }
});

test("masking takes linear time", () => {
  const values = Array.from({ length: 50 }, (_, index) => `value-number-${index}-${"xy".repeat(index % 9)}`);
  const masker = createMasker(["a".repeat(4000), ...values]);
  const text = `${"a".repeat(3999)}b`.repeat(250);
  // A masker with quadratic run time would need minutes for these million characters.
  expect(masker.mask(text)).toBe(text);
});

test("added values are masked from then on, together with earlier ones", () => {
  const masker = createMasker([VALUE]);
  const early = masker.stream();
  expect(masker.mask(`${PLAIN} ${VALUE}`)).toBe(`${PLAIN} ${REDACTED}`);
  masker.add([secret(PLAIN)]);
  masker.add([], { keys: ["ab1"] });
  expect(masker.mask(`${PLAIN} ${VALUE} ab1 ab2`)).toBe(`${REDACTED} ${REDACTED} ${REDACTED} ab2`);
  expect(masker.maskData({ [PLAIN]: encodeURIComponent(PLAIN) })).toEqual({ [REDACTED]: REDACTED });
  expect(masker.stream().write(`${PLAIN} `)).toContain(REDACTED);
  expect(early.write(`${PLAIN} ${VALUE} `) + early.end()).toBe(`${PLAIN} ${REDACTED} `);
  const empty = createMasker([]);
  empty.add([PLAIN]);
  expect(empty.mask(PLAIN)).toBe(REDACTED);
});

test("the prefix of a secret at the end of one text is not joined with the next text", () => {
  const masker = createMasker(["Zk3v9Qp2Lm8sXy41"]);
  const parts = ["Zk3v9Qp2", "Lm8sXy41", "\\x5a\\x6b\\x33\\x76", "\\x39Qp2Lm8sXy41"];
  expect(parts.map((part) => masker.mask(part))).toEqual(parts);
  expect(masker.mask("Zk3v9Qp2Lm8sXy41")).toBe(REDACTED);
  masker.add(["another-secret"]);
  expect(masker.mask("another-secret, Zk3v9Qp2Lm8sXy41")).toBe(`${REDACTED}, ${REDACTED}`);
});

test("keys of one and two characters are masked everywhere", () => {
  const masker = createMasker(["Zk3v9Qp2Lm8sXy41"], { keys: ["q", "zé"] });
  expect(masker.mask("q aqb zé z é zzéq")).toBe(`${REDACTED} a${REDACTED}b ${REDACTED} z é z${REDACTED}${REDACTED}`);
});

test("a secret is found with a quote, a line end or an escape after its first character", () => {
  const masker = createMasker(["Zk3v9Qp2Lm8sXy41"]);
  for (const between of ['"', "'", "\n", "\r\n", "\n    ", "\\", "\u200b", "\u001b[1m"]) {
    expect(masker.mask(`it is Z${between}k3v9Qp2Lm8sXy41.`)).toBe(`it is ${REDACTED}.`);
  }
});

test("a secret that is added later is masked in texts that the masker has found clean before", () => {
  const masker = createMasker(["another-secret"]);
  const data = { [PLAIN]: [PLAIN] };
  expect(masker.mask(PLAIN)).toBe(PLAIN);
  expect(masker.maskData(data)).toBe(data);
  masker.add([PLAIN]);
  expect(masker.mask(PLAIN)).toBe(REDACTED);
  expect(masker.maskData(data)).toEqual({ [REDACTED]: [REDACTED] });
});
