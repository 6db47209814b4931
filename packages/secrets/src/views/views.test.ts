import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { createMasker, REDACTED } from "../index.ts";

const KEY = ["Zk3v9Qp2Lm8sXy41", "Rt6uWq0eHj5gNb7c"].join("").repeat(3).slice(0, 90);
/** Another secret with the same length and format. */
const OTHER = [...KEY].reverse().join("");
const masker = createMasker([KEY]);

function wrapped(text: string, width: number, end = "\n"): string {
  return (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(end);
}

function each(write: (code: number) => string): string {
  return Array.from(Buffer.from(KEY), write).join("");
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}

const PRINTED: Readonly<Record<string, string>> = {
  "base64 key.txt": wrapped(Buffer.from(`${KEY}\n`).toString("base64"), 76),
  "openssl base64": wrapped(Buffer.from(KEY).toString("base64"), 64),
  "base64 on one line of a shell": wrapped(Buffer.from(KEY).toString("base64"), 76, " "),
  "xxd -p": wrapped(Buffer.from(KEY).toString("hex"), 60),
  "hex in pairs": wrapped(Buffer.from(KEY).toString("hex"), 2, ":"),
  fold: wrapped(KEY, 40),
  "fold in YAML": wrapped(KEY, 40, "\n    "),
  "grep --color": `${KEY.slice(0, 9)}\u001b[01;31m\u001b[K${KEY.slice(9, 30)}\u001b[m\u001b[K${KEY.slice(30)}`,
  "invisible characters": wrapped(KEY, 7, "\u200b"),
  "\\uXXXX": each((code) => `\\u${hex(code, 4)}`),
  "\\uXXXX inside of JSON": JSON.stringify(each((code) => `\\u${hex(code, 4)}`)).slice(1, -1),
  "\\xNN": each((code) => `\\x${hex(code, 2)}`),
  "%NN": each((code) => `%${hex(code, 2)}`),
  "%25NN": each((code) => `%25${hex(code, 2)}`),
  octal: each((code) => `\\${code.toString(8).padStart(3, "0")}`),
  "decimal entities": each((code) => `&#${code};`),
  "bytes of C": each((code) => `0x${hex(code, 2)}, `).slice(0, -2),
  "xxd -i": wrapped(each((code) => `0x${hex(code, 2)}, `).slice(0, -2), 72, "\n  "),
  "a list of bytes": JSON.stringify([...Buffer.from(KEY)]),
};

describe("a known secret is masked in the output formats of common programs", () => {
  test.each(Object.entries(PRINTED))("%s", (_, printed) => {
    for (const text of [`before ${printed} after`, `before\n${printed}\nafter`]) {
      const masked = masker.mask(text);
      expect(masked).toContain(REDACTED);
      expect(masked.startsWith("before")).toBe(true);
      expect(masked.endsWith("after")).toBe(true);
      expect(masked.length).toBeLessThan(40);
      expect(masker.mask(masked)).toBe(masked);
    }
  });
});

/**
 * Values that are encoded twice. Exact patterns find only values that are encoded once, so decoders must find these.
 */
const TWICE: Readonly<Record<string, (value: string) => string>> = {
  "base64 in base64": (value) => btoa(btoa(value)),
  "wrapped base64": (value) => wrapped(btoa(value), 76),
  "hex in base64": (value) => btoa(Buffer.from(value).toString("hex")),
  "base64 in hex": (value) => Buffer.from(btoa(value)).toString("hex"),
  "wrapped hex": (value) => wrapped(Buffer.from(value).toString("hex"), 60),
  "percent encoding in base64": (value) => btoa(value.replace(/./g, (one) => `%${hex(one.charCodeAt(0), 2)}`)),
  "base64 with colours": (value) => btoa(value).replace(/^(.{5})(.*)/, "$1\u001b[01;31m\u001b[K$2"),
};

describe("an encoding may directly follow letters, digits and slashes, at any alignment", () => {
  test.each(Object.entries(TWICE))("%s", (_, encode) => {
    const text = encode(KEY);
    for (const before of ["/", "x", "ab", "abc", "cafe", "id-", "https://host/v1/", "done\n"]) {
      const masked = masker.mask(`${before}${text} after`);
      expect(masked.startsWith(before), before).toBe(true);
      const remaining = masked.slice(before.length);
      // The masked text must not depend on the secret: masking another secret of the same length yields the same text.
      expect(remaining, before).toBe(
        createMasker([OTHER])
          .mask(`${before}${encode(OTHER)} after`)
          .slice(before.length),
      );
      const stream = masker.stream();
      const pieces = [...`${before}${text} after`].map((one) => stream.write(one));
      expect(pieces.join("") + stream.end(), before).toBe(masked);
    }
  });
});

test("ordinary words and digits are streamed immediately, except possible prefixes of a secret", () => {
  const stream = masker.stream();
  expect(stream.write("Listening on port 8080, ")).toBe("Listening on port 8080, ");
  expect(stream.write("done.\n")).toBe("done.\n");
  expect(stream.write(KEY.slice(0, 20))).toBe("");
  expect(stream.write(`\n${KEY.slice(20)}!`)).toBe(`${REDACTED}!`);
  expect(stream.end()).toBe("");
});

test("at most three characters of an ordinary word are held back, and all that may be an encoded secret", () => {
  const text = "Listening (on) international networks, half an answer: a decade of the fee, deadbeef and cafe.";
  for (let end = 1; end <= text.length; end += 1) {
    const streamed = masker.stream().write(text.slice(0, end));
    expect(end - streamed.length, text.slice(0, end)).toBeLessThanOrEqual(3);
  }
  for (const secret of [KEY, Buffer.from(KEY).toString("base64"), Buffer.from(KEY).toString("hex")]) {
    expect(masker.stream().write(`is ${secret.slice(0, 2)}`)).toBe("is ");
  }
});

/** Formats bytes as `xxd` does. */
function dumped(text: string): string {
  const lines = (text.match(/.{1,16}/g) ?? []).map((line, index) => {
    const texts = (
      Buffer.from(line)
        .toString("hex")
        .match(/.{1,4}/g) ?? []
    ).join(" ");
    return `${hex(16 * index, 8)}: ${texts.padEnd(39)}  ${line}\n`;
  });
  return lines.join("");
}

describe("a dump wrapped by fold is read across the added line ends", () => {
  const percent = (text: string): string => Array.from(text, (unit) => `%${hex(unit.charCodeAt(0), 2)}`).join("");
  const forms: Readonly<Record<string, (width: number) => string>> = {
    "the dump folded": (width) => wrapped(dumped(KEY), width),
    "the folded dump in JSON": (width) => JSON.stringify(wrapped(dumped(KEY), width)),
    "the dump escaped, then folded": (width) => wrapped(percent(dumped(KEY)), width),
  };
  for (const [name, print] of Object.entries(forms)) {
    test.each([7, 13, 20, 33, 48])(`${name} to lines of %i characters`, (width) => {
      const masked = masker.mask(`before\n${print(width)}\n\nafter\n`);
      expect(masked).toContain(REDACTED);
      expect(masked.endsWith("after\n")).toBe(true);
    });
  }
});

describe("a dump with short, blank or empty lines is masked to its end, folded or not", () => {
  const inPieces = (text: string, width: number): string[] => text.match(new RegExp(`.{1,${width}}`, "gs")) ?? [];
  const fold = (text: string, width: number): string => {
    const lines = text.split("\n").map((line) => inPieces(line, width).join("\n"));
    return lines.join("\n");
  };
  const pairs = (text: string): string[] => inPieces(Buffer.from(text).toString("hex"), 2);
  /** Formats text as `hexdump -C` does. */
  const canonical = (text: string): string => {
    const lines = inPieces(text, 16).map((line, index) => {
      const [left, right] = [pairs(line.slice(0, 8)), pairs(line.slice(8))].map((half) => half.join(" ").padEnd(23));
      return `${hex(16 * index, 8)}  ${left}  ${right}  |${line}|\n`;
    });
    return `${lines.join("")}${hex(text.length, 8)}\n`;
  };
  /** Formats text as `od -t x1z` does. */
  const bracketed = (text: string): string => {
    const lines = inPieces(text, 16).map((line, index) => {
      return `${(16 * index).toString(8).padStart(7, "0")} ${pairs(line).join(" ").padEnd(47)}  >${line}<\n`;
    });
    return `${lines.join("")}${text.length.toString(8).padStart(7, "0")}\n`;
  };
  /** Formats text as `od -c` does, with line ends as `\n`. */
  const characters = (text: string): string => {
    const lines = inPieces(text, 16).map((line, index) => {
      const cells = Array.from(line, (char) => (char === "\n" ? "\\n" : char).padStart(4)).join("");
      return `${(16 * index).toString(8).padStart(7, "0")}${cells}\n`;
    });
    return `${lines.join("")}${text.length.toString(8).padStart(7, "0")}\n`;
  };
  /** Replaces octal offsets by the hexadecimal offsets of `od -A x`. */
  const withHexOffsets = (text: string): string =>
    text.replace(/^[0-7]{7}/gm, (offset) => hex(Number.parseInt(offset, 8), 6));
  const forms: Readonly<Record<string, (text: string, width: number) => string>> = {
    "hexdump -C": (text, width) => fold(canonical(text), width),
    "hexdump -C with empty lines": (text, width) => fold(canonical(text).replaceAll("|\n", "|\n\n"), width),
    "hexdump -C, folded, in od -c": (text, width) => characters(fold(canonical(text), width)),
    "od -c, folded, in od -c": (text, width) => characters(fold(characters(text), width)),
    "od -t x1z": (text, width) => fold(bracketed(text), width),
    "od -A x -t x1z": (text, width) => fold(withHexOffsets(bracketed(text)), width),
    "od -A x -c": (text, width) => fold(withHexOffsets(characters(text)), width),
  };
  test.each(Object.entries(forms))("%s", (_, print) => {
    for (const width of [12, 19, 20, 25, 26, 60, 100]) {
      for (const [before, length] of [
        ["k", 18],
        ["", 11],
        ["is ", 34],
      ] as const) {
        const masked = [KEY, OTHER].map((key) => {
          const value = key.slice(0, length);
          return createMasker([value]).mask(`before\n${print(`${before}${value}x`, width)}after\n`);
        });
        expect(masked[0], `${length} characters, width ${width}`).toContain(REDACTED);
        // The masked text must not depend on the secret.
        expect(masked[0], `${length} characters, width ${width}`).toBe(masked[1]);
      }
    }
  });
});

test("colours in the offset after a split escape do not hide the secret", () => {
  const percent = each((code) => `%${hex(code, 2)}`);
  const coloured = columns(percent).replaceAll(/^(...)(.*)(..)$/gm, "$1\u001b[01;31m\u001b[K$2\u001b[m\u001b[K$3");
  const masked = masker.mask(`before\n${coloured}after\n`);
  expect(masked).toContain(REDACTED);
  expect(masked.endsWith("after\n")).toBe(true);
});

test("text that resembles an encoding is unchanged", () => {
  for (const text of [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "\u001b[31mred\u001b[0m 100% &amp; \\n \\u00e9 %20",
    `data:image/png;base64,${Buffer.from(Uint8Array.from({ length: 600 }, (_, index) => (index * 37) % 251)).toString("base64")}`,
    "00000000: 4865 6c6c 6f2c 2077 6f72 6c64 210a       Hello, world!.\nand then text\n",
    "10 20 30 40 50 60 70 80 90 100 110 120\n1 2 3\n",
  ]) {
    expect(masker.mask(text)).toBe(text);
  }
});

test("an endless escape, dump or word is not held back forever", () => {
  for (const piece of ["\\", "%", "&", "\u001b[", "a".repeat(50), "00000000: 41", "41 ", "\n", "\\u00", "QUJD", "  "]) {
    const stream = masker.stream();
    let emitted = 0;
    for (let index = 0; index < 2000; index += 1) emitted += stream.write(piece).length;
    expect(piece.length * 2000 - emitted, JSON.stringify(piece)).toBeLessThan(5000);
    stream.end();
  }
});

/** Formats text as `od -c` does, with a terminal's colour sequences as octal digits. */
function columns(text: string): string {
  const cells = Array.from(text, (char) => (char < " " ? `0${char.charCodeAt(0).toString(8)}` : char).padStart(4));
  const lines = Array.from({ length: Math.ceil(cells.length / 16) }, (_, index) => {
    return `${(16 * index).toString(8).padStart(7, "0")}${cells.slice(16 * index, 16 * (index + 1)).join("")}\n`;
  });
  return `${lines.join("")}${cells.length.toString(8).padStart(7, "0")}\n`;
}

test("character columns are read to their end, whatever the last line's length and start", () => {
  for (let length = 16; length <= 48; length += 1) {
    const value = KEY.slice(0, length);
    for (const text of [value, `${value.slice(0, -2)}\u001b[m\u001b[K${value.slice(-2)}`]) {
      const masked = createMasker([value]).mask(`before\n${columns(`is ${text}`)}after\n`);
      expect(masked, `${length} characters`).toContain(REDACTED);
      expect(masked.endsWith("after\n")).toBe(true);
    }
  }
});

test("the last column of a full character line may be a digit, which does not belong to the next offset", () => {
  const maskedWith = (last: string): string => {
    const value = KEY.slice(0, 15) + last;
    return createMasker([value]).mask(`before\n${columns(`${value}${"some other text ".repeat(2)}end`)}after\n`);
  };
  const expected = maskedWith("z");
  expect(expected).toContain("o   t   h   e   r");
  for (const last of "0123456789abcdef") expect(maskedWith(last), last).toBe(expected);
});

describe("the start of a short secret is held back at any alignment of combined encodings", () => {
  const text = (value: string): string => btoa(value).replaceAll("=", "");
  const digits = (value: string): string => Buffer.from(value).toString("hex");
  const forms: Readonly<Record<string, (value: string) => string>> = {
    "base64 in base64": (value) => text(text(value)),
    "base64 in base64 in base64": (value) => text(text(text(value))),
    "base64 in hex": (value) => digits(text(value)),
    "hex in base64": (value) => text(digits(value)),
  };
  test.each(Object.entries(forms))("%s", (_, encode) => {
    for (const value of ["0STUdfUs", "k2XIWpmGv", "Zk3v9Qp2Lm8s"]) {
      const short = createMasker([value]);
      for (const [before, word] of ["", "k", "is", "key", "a/bc"].flatMap((one) => [
        [one, ""] as const,
        [one, "id-"] as const,
      ])) {
        const printed = `${word}${encode(before + value)} after`;
        const stream = short.stream();
        const pieces = [...printed].map((one) => stream.write(one));
        expect(pieces.join("") + stream.end(), `${word}${before}${value}`).toBe(short.mask(printed));
      }
    }
  });
});

test("escaped base64 of the shortest secret is masked directly after letters and digits", () => {
  const percent = (text: string): string => text.replace(/./g, (one) => `%${hex(one.charCodeAt(0), 2)}`);
  for (const value of ["SKl0EOrg", "4ozasA0y", "~~~~~???"]) {
    const short = createMasker([value]);
    for (const encoded of [btoa(value), Buffer.from(value).toString("base64url")]) {
      for (const before of ["x", "cafe", "v1/"]) {
        const masked = short.mask(`${before}${percent(encoded)} after`);
        expect(masked.startsWith(`${before}${REDACTED}`), before + value).toBe(true);
        expect(short.mask(`${before}${encoded.replace(/./g, "$&\\n")} after`), before + value).toContain(REDACTED);
      }
    }
  }
});

test("characters that encode the first bits of a secret and the text before it are masked", () => {
  for (const before of ["", "k", "is", "key='12345"]) {
    const maskedWith = (value: string): string => createMasker([value]).mask(`${btoa(btoa(before + value))} after`);
    const expected = maskedWith("1eOTkF9yi");
    for (const value of ["5fKRpE7rn", "9eOTkF9yi", "zeOTkF9yi", "QeOTkF9yi"]) {
      expect(maskedWith(value), before + value).toBe(expected);
    }
  }
});

test("an escape split by a line end is decoded at the end of base64 text", () => {
  const folded = `${each((code) => `\\u${hex(code, 4)}`).slice(0, -2)}\n${hex(KEY.charCodeAt(KEY.length - 1), 2)}`;
  expect(masker.mask(`before ${Buffer.from(folded).toString("base64")} after`)).toBe(`before ${REDACTED}== after`);
});
