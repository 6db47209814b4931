// @ts-check

/** @import { Line, Run } from "./screen.mjs" */

/** Colours of one theme. @typedef {Readonly<Record<string, string>>} Palette */

/** @type {Readonly<Record<"light" | "dark", Palette>>} */
export const PALETTES = {
  light: {
    ...{ background: "#ffffff", bar: "#f3f4f6", border: "#d0d7de", text: "#1f2328", dim: "#59636e", title: "#59636e" },
    ...{ red: "#b3261e", green: "#116329", yellow: "#7d4e00", blue: "#0550ae", magenta: "#6639ba", cyan: "#0b5e69" },
  },
  dark: {
    ...{ background: "#0d1117", bar: "#161b22", border: "#30363d", text: "#e6edf3", dim: "#9198a1", title: "#9198a1" },
    ...{ red: "#ff7b72", green: "#56d364", yellow: "#e3b341", blue: "#79c0ff", magenta: "#d2a8ff", cyan: "#56d4dd" },
  },
};

const CHARACTER = 7.83;
const LINE_HEIGHT = 19;
const FONT_SIZE = 13;
const PADDING = 18;
const BAR = 34;
/** Visible lines. */
const ROWS = 30;
/** The recording is played at half speed, so that a reader can follow. */
const SLOWDOWN = 2;
/** Time for which the final screen stays, in seconds. */
const HOLD = 6;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/**
 * Draws a recording as an animated SVG: lines appear when the terminal showed them, and the screen scrolls. Readers who
 * prefer reduced motion see the final screen.
 * @param {{ command: string, lines: readonly Line[], columns: number, palette: Palette }} recording
 * @returns {string}
 */
export function renderSvg({ command, lines, columns, palette }) {
  const prompt = { text: `$ ${command}`, runs: [plain("$ ", "green"), plain(command, "text", true)], at: 0 };
  const all = [prompt, ...lines.map((line) => ({ ...line, at: line.at * SLOWDOWN + 1 }))];
  const width = Math.round(columns * CHARACTER + 2 * PADDING);
  const height = BAR + ROWS * LINE_HEIGHT + 2 * PADDING;
  const screen = ROWS * LINE_HEIGHT;
  const texts = all.map(({ runs }, index) => renderLine(runs, index, palette)).join("\n");
  const { keyframes, duration } = scrollKeyframes(all);
  const final = -Math.max(0, all.length - ROWS) * LINE_HEIGHT;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Terminal recording of ${command}: an agent runs the tests, finds the fault, edits one line, and the tests pass.</title>
<clipPath id="screen"><rect width="${width - 2 * PADDING}" height="${screen}"/></clipPath>
<style>
text { font: ${FONT_SIZE}px ${FONT}; white-space: pre; fill: ${palette["text"]}; }
.lines { transform: translateY(${final}px); animation: scroll ${duration}s infinite; }
.cover { transform: translateY(${screen}px); animation: reveal ${duration}s infinite; }
${keyframes}
@media (prefers-reduced-motion: reduce) { .lines, .cover { animation: none; } }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${palette["background"]}" stroke="${palette["border"]}"/>
<path d="M0.5 ${BAR} V10.5 a10 10 0 0 1 10 -10 H${width - 10.5} a10 10 0 0 1 10 10 V${BAR} Z" fill="${palette["bar"]}" stroke="${palette["border"]}"/>
${["red", "yellow", "green"].map((color, index) => `<circle cx="${20 + index * 18}" cy="${BAR / 2}" r="5.5" fill="${palette[color]}"/>`).join("")}
<text x="${width / 2}" y="${BAR / 2 + 4.5}" text-anchor="middle" style="fill:${palette["title"]}">${escapeXml(command)}</text>
<g transform="translate(${PADDING} ${BAR + PADDING - 6})" clip-path="url(#screen)">
<g class="lines">
${texts}
</g>
<rect class="cover" width="${width}" height="${screen}" fill="${palette["background"]}"/>
</g>
</svg>
`;
}

/**
 * @param {string} text
 * @param {string} color
 * @param {boolean} [bold]
 * @returns {Run}
 */
function plain(text, color, bold = false) {
  return { text, color, bold, dim: false };
}

/**
 * @param {readonly Run[]} runs
 * @param {number} index
 * @param {Palette} palette
 * @returns {string}
 */
function renderLine(runs, index, palette) {
  const spans = runs.map(({ text, color, bold, dim }) => {
    const fill = color === "text" ? (dim ? palette["dim"] : undefined) : palette[color];
    const style = [
      fill === undefined ? "" : ` fill="${fill}" style="fill:${fill}"`,
      bold ? ' font-weight="600"' : "",
    ].join("");
    return style === "" ? escapeXml(text) : `<tspan${style}>${escapeXml(text)}</tspan>`;
  });
  return `<text y="${(index + 1) * LINE_HEIGHT - 5}" xml:space="preserve">${spans.join("")}</text>`;
}

/**
 * Returns keyframes that scroll the lines and move the cover below the last line that the terminal had shown.
 * @param {readonly Pick<Line, "at">[]} lines
 * @returns {{ keyframes: string, duration: number }}
 */
function scrollKeyframes(lines) {
  // A line cannot appear before the one above it.
  let latest = 0;
  const times = lines.map(({ at }) => {
    latest = Math.max(latest, at);
    return latest;
  });
  const duration = Math.ceil(latest + HOLD);
  /** @type {string[]} */
  const scroll = [];
  /** @type {string[]} */
  const reveal = [];
  const percentAt = (/** @type {number} */ at) => `${((at / duration) * 100).toFixed(2)}%`;
  for (const [index, at] of times.entries()) {
    const percent = percentAt(at);
    const next = times[index + 1];
    if (next !== undefined && percentAt(next) === percent) continue;
    scroll.push(`${percent} { transform: translateY(${-Math.max(0, index + 1 - ROWS) * LINE_HEIGHT}px); }`);
    reveal.push(`${percent} { transform: translateY(${Math.min(ROWS, index + 1) * LINE_HEIGHT}px); }`);
  }
  const named = (/** @type {string} */ name, /** @type {string[]} */ frames) =>
    `@keyframes ${name} {\n${[...frames, frames.at(-1)?.replace(/^[^ ]+/, "100%")].join("\n")}\n}`;
  const steps = ".lines, .cover { animation-timing-function: step-end; }";
  return { keyframes: `${named("scroll", scroll)}\n${named("reveal", reveal)}\n${steps}`, duration };
}

/**
 * @param {string} text
 * @returns {string}
 */
function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
