import fc from "fast-check";
import { expect, test } from "vitest";
import { archiveName, freeName } from "./archive-name.ts";

test("an artifact is archived under the last part of its name [custom-artifacts-4]", () => {
  expect(archiveName("report.md")).toBe("report.md");
  expect(archiveName("outputs/deep/report.md")).toBe("report.md");
  expect(archiveName("..\\..\\report.md")).toBe("report.md");
  expect(archiveName("/etc/passwd")).toBe("passwd");
  expect(archiveName(".gitignore")).toBe(".gitignore");
  expect(archiveName("a:b|c?.txt")).toBe("a_b_c_.txt");
  expect(archiveName("con.txt")).toBe("_con.txt");
  expect(archiveName(`${"é".repeat(300)}.json`)).toMatch(/^é+\.json$/);
});

test("names that become empty are invalid", () => {
  for (const name of ["", ".", "..", "a/", "a/..", " . ", "\\"]) expect(archiveName(name)).toBeUndefined();
});

test("any name becomes a harmless file name, or is refused [custom-artifacts-4]", () => {
  const strange = fc.string({ unit: "binary", maxLength: 300 });
  const paths = fc.array(fc.oneof(strange, fc.constantFrom("..", ".", "", "con", "a".repeat(400))), { maxLength: 4 });
  fc.assert(
    fc.property(paths, fc.constantFrom("/", "\\"), (parts, separator) => {
      const name = archiveName(parts.join(separator));
      if (name === undefined) return;
      expect(name).not.toMatch(/[/\\\p{Cc}]|^\.{1,2}$|^$/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(201);
      expect(archiveName(name)).toBe(name);
    }),
  );
});

test("equal names are numbered, case ignored", () => {
  const taken = new Set(["report.md", "report-2.md", "plain"]);
  expect(freeName("Report.MD", taken)).toBe("Report-3.MD");
  expect(freeName("plain", taken)).toBe("plain-2");
  expect(freeName("other", taken)).toBe("other");
});
