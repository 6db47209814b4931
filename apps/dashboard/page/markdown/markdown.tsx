import { Lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Scroller } from "../controls/scroller.tsx";
import { plainText } from "../text/plain-text.ts";
import { linkTarget } from "./link-target.ts";

/** Length up to which a text is parsed as Markdown, in characters. Longer texts are shown as they are. */
const MAX_CHARS = 100_000;

/** Replaces the character references that the lexer leaves in texts. */
function textOf(text: string): string {
  return plainText(text.replace(/&(?:amp|lt|gt|quot|#39);/g, (reference) => REFERENCES[reference] ?? reference));
}

const REFERENCES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function Inline({ tokens }: { tokens: readonly Token[] | undefined }): JSX.Element {
  return (
    <>
      {tokens?.map((token, index) => (
        <InlineToken key={index} token={token} />
      ))}
    </>
  );
}

/** A link to another site opens in a new tab and does not tell the site where it came from. */
function Link({ href, children }: { href: string; children: ComponentChildren }): JSX.Element {
  const target = linkTarget(href);
  if (target === undefined) return <>{children}</>;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer" title={plainText(target)}>
      {children}
    </a>
  );
}

/** A text that may contain marked-up parts. */
function PlainToken({
  token,
}: {
  token: { readonly text?: unknown; readonly tokens?: readonly Token[] };
}): JSX.Element {
  const { text, tokens } = token;
  return <>{tokens === undefined ? textOf(String(text)) : <Inline tokens={tokens} />}</>;
}

function InlineToken({ token }: { token: Token }): JSX.Element {
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code>{textOf(token.text)}</code>;
    case "br":
      return <br />;
    case "link":
      return (
        <Link href={token.href}>
          <Inline tokens={token.tokens} />
        </Link>
      );
    case "image":
      // Images would be requests to other servers, so only their text is shown, as a link.
      return <Link href={token.href}>{`[${textOf(token.text)}]`}</Link>;
    case "text":
      return <PlainToken token={token} />;
    case "escape":
      return <PlainToken token={token} />;
    default:
      return <>{plainText(token.raw)}</>;
  }
}

/** All headings of a message have the same level, because their own levels need not fit those of the page. */
function Heading({ token }: { token: Tokens.Heading }): JSX.Element {
  return (
    <h3 class={token.depth === 1 ? "md-title" : "md-heading"}>
      <Inline tokens={token.tokens} />
    </h3>
  );
}

function List({ token }: { token: Tokens.List }): JSX.Element {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && <span aria-hidden="true">{item.checked === true ? "☑ " : "☐ "}</span>}
      {item.task && <span class="unseen">{item.checked === true ? "done: " : "open: "}</span>}
      <Blocks tokens={item.tokens} isTight={!item.loose} />
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === "" ? 1 : token.start}>{items}</ol>;
}

function Table({ token }: { token: Tokens.Table }): JSX.Element {
  return (
    <Scroller name="Table">
      <table class="list">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} scope="col">
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function Code({ text }: { text: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element.
    <pre class="text" tabIndex={0}>
      {plainText(text)}
    </pre>
  );
}

/** The tokens of a block. The lexer's types allow any token everywhere, so `type` alone decides. */
function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function Block({ token, isTight }: { token: Token; isTight: boolean }): JSX.Element | null {
  if (isList(token)) return <List token={token} />;
  if (isTable(token)) return <Table token={token} />;
  if (isHeading(token)) return <Heading token={token} />;
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return null;
    case "hr":
      return <hr />;
    case "code":
      return <Code text={token.text} />;
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens} />
        </blockquote>
      );
    case "paragraph":
    case "text":
      return isTight ? (
        <InlineToken token={{ ...token, type: "text" }} />
      ) : (
        <p>
          <InlineToken token={{ ...token, type: "text" }} />
        </p>
      );
    default:
      // HTML and anything unknown is text.
      return <p class="words">{plainText(token.raw)}</p>;
  }
}

function Blocks({ tokens, isTight = false }: { tokens: readonly Token[] | undefined; isTight?: boolean }): JSX.Element {
  return (
    <>
      {tokens?.map((token, index) => (
        <Block key={index} token={token} isTight={isTight} />
      ))}
    </>
  );
}

/**
 * Untrusted Markdown. The lexer's tokens become elements of this page, never HTML text: HTML in the source is shown as
 * text, images as links, and only links to web and mail addresses are links.
 */
export function Markdown({ text }: { text: string }): JSX.Element {
  const tokens = useMemo(() => (text.length > MAX_CHARS ? undefined : Lexer.lex(text, { gfm: true })), [text]);
  if (tokens === undefined) return <div class="words">{plainText(text)}</div>;
  return (
    <div class="prose">
      <Blocks tokens={tokens} />
    </div>
  );
}
