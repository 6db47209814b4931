import { expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.ts";

/** Elements that Markdown may become. */
const ALLOWED = /^(?:p|b|a|pre|code|em|strong|del|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|hr|br)$/;
/** Attributes that these elements may have. */
const ATTRIBUTES =
  /^(?: (?:href="(?:https?:\/\/|mailto:)[^"<>]*"|rel="noopener noreferrer nofollow"|class="heading"|tabindex="0"|dir="auto"|align="\w+"|start="\d+"))*$/;

test("Markdown is rendered: headings, emphasis, lists, tables, fences and links", () => {
  const text =
    "# Title\n\nSome **bold** `code` &amp; [a link](https://example.org/x?a=1&b=2).\n\n- one\n- [x] two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nif (a < b) {}\n```";
  const { markup } = renderMarkdown(text);
  for (const part of [
    '<p class="heading"><b>Title</b></p>',
    "<strong>bold</strong> <code>code</code> &amp; <a",
    'href="https://example.org/x?a=1&amp;b=2" rel="noopener noreferrer nofollow">a link</a>',
    "<li>one</li>",
    "<td>1</td>",
    '<pre tabindex="0" dir="auto">if (a &lt; b) {}</pre>',
  ])
    expect(markup).toContain(part);
});

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "text <b onclick=alert(1)>x</b>",
  "<kbd><img/ src=x onerror=alert(1)",
  "<pre><svg/onload=alert(1) ",
  "<script>\nlet a = '<img src=x onerror=1 '",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](&#106;avascript:alert(1))",
  "[x](java\nscript:alert(1))",
  '[x](https://e.org/"onmouseover="alert(1))',
  "[x](https://e.org 'a\" onmouseover=\"alert(1)')",
  "![x](javascript:alert(1))",
  '![x" onerror="alert(1)](https://e.org/x.png)',
  "<javascript:alert(1)>",
  '<https://e.org/"onclick=alert(1)>',
  "[r]\n\n[r]: javascript:alert(1)",
  "```<img onerror=1>\n</pre><script>1</script>\n```",
  "`</code><script>1</script>`",
  "|<script>|\n|---|\n|<img onerror=1>|",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "# <style>*{display:none}</style>",
  "<iframe srcdoc='<script>1</script>'>\n\n<form action=x>",
  "<!-- --><!DOCTYPE html><meta http-equiv=refresh content=0>",
])("hostile Markdown renders only harmless elements and attributes: %j", (text) => {
  const { markup } = renderMarkdown(text);
  for (const [tag, name = "", attributes = ""] of markup.matchAll(/<\/?([^\s<>/]*)([^<>]*)>?/gu)) {
    expect(name, tag).toMatch(ALLOWED);
    expect(attributes, tag).toMatch(ATTRIBUTES);
    expect(tag).toMatch(/>$/);
  }
});

test("characters that hide or reorder text are made visible", () => {
  const { markup } = renderMarkdown("a\u202eb\u0007c");
  expect(markup).toContain("a\\u{202e}b\ufffdc");
});
