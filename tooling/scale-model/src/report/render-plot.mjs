// @ts-check

/** @typedef {{ name: string, colour: string, points: readonly (readonly [number, number])[] }} Line */

/**
 * A line chart.
 * @typedef {object} Plot
 * @property {string} title
 * @property {string} xLabel
 * @property {string} yLabel
 * @property {readonly number[]} xTicks
 * @property {readonly number[]} yTicks the last one is the top of the chart; points above it are drawn there
 * @property {readonly Line[]} lines
 */

const [WIDTH, HEIGHT] = [720, 360];
const MARGIN = { left: 70, right: 190, top: 44, bottom: 54 };
const LEGEND_STEP = 22;

/** @param {number} value */
function short(value) {
  return value.toLocaleString("en-US");
}

/**
 * Returns a chart as SVG.
 * @param {Plot} plot
 * @returns {string}
 */
export function renderPlot({ title, xLabel, yLabel, xTicks, yTicks, lines }) {
  const [right, bottom] = [WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom];
  const [maxX, maxY] = [xTicks.at(-1) ?? 1, yTicks.at(-1) ?? 1];
  const x = (/** @type {number} */ value) => (MARGIN.left + (value / maxX) * (right - MARGIN.left)).toFixed(1);
  const y = (/** @type {number} */ value) =>
    (bottom - (Math.min(value, maxY) / maxY) * (bottom - MARGIN.top)).toFixed(1);
  const grid = [
    ...yTicks.map((tick) => `<path class="grid" d="M${MARGIN.left} ${y(tick)}H${right}"/>`),
    ...yTicks.map(
      (tick) => `<text x="${MARGIN.left - 8}" y="${y(tick)}" dy="4" text-anchor="end">${short(tick)}</text>`,
    ),
    ...xTicks.map((tick) => `<text x="${x(tick)}" y="${bottom + 20}" text-anchor="middle">${short(tick)}</text>`),
  ];
  const drawn = lines.flatMap(({ name, colour, points }, index) => {
    const path = points.map(([left, up]) => `${x(left)} ${y(up)}`).join("L");
    const top = MARGIN.top + 10 + index * LEGEND_STEP;
    return [
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(([left, up]) => `<circle cx="${x(left)}" cy="${y(up)}" r="3" fill="${colour}"/>`),
      `<path d="M${right + 14} ${top}h22" stroke="${colour}" stroke-width="2"/>`,
      `<text x="${right + 42}" y="${top}" dy="4">${name}</text>`,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>text{font:13px sans-serif;fill:#222}.grid{stroke:#ddd}.title{font-weight:bold}</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text class="title" x="${MARGIN.left}" y="24">${title}</text>
${[...grid, ...drawn].join("\n")}
<text x="${(MARGIN.left + right) / 2}" y="${HEIGHT - 14}" text-anchor="middle">${xLabel}</text>
<text transform="rotate(-90)" x="${-(MARGIN.top + bottom) / 2}" y="18" text-anchor="middle">${yLabel}</text>
</svg>
`;
}
