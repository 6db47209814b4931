import { expect, test } from "vitest";
import { checkArtifacts } from "./check-artifacts.ts";

test("a media type that would end a header line is refused, an ordinary one is not", () => {
  for (const content_type of ["text/plain\r\nset-cookie: a=b", "text/plain\n", "a\u0000b", "a\u2028b"]) {
    expect(() => checkArtifacts({ files: [{ name: "a.txt", content: "a", content_type }] })).toThrow(
      "artifacts.files[0]: content_type contains a control character",
    );
  }
  checkArtifacts({ files: [{ name: "a.txt", content: "a", content_type: 'text/plain; charset="utf-8"' }] });
});
