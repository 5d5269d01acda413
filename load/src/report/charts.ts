/** A line of a chart. */
export interface Line {
  readonly name: string;
  readonly color: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Texts of a chart. */
export interface ChartText {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  /** Labels for places of the x axis; default: numbers. */
  readonly xTicks?: readonly (readonly [x: number, text: string])[];
}

/** The colours of lines. */
export const BLUE = '#2b6cb0';
/** See {@link BLUE}. */
export const RED = '#c53030';

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 56;
const BOTTOM = 34;
const TOP = 28;
const RIGHT = 24;
const TICKS = 5;

/** Lines over a common x axis as inline SVG. The y axis begins at 0, the x axis at its first label, else at 0. */
export function lineChart(lines: readonly Line[], text: ChartText): string {
  const all = lines.flatMap(({ points }) => points);
  const xMin = text.xTicks?.[0]?.[0] ?? 0;
  const [xMax, yMax] = [
    Math.max(xMin + 1e-9, ...all.map(([x]) => x)),
    niceTop(Math.max(1e-9, ...all.map(([, y]) => y))),
  ];
  const toX = (x: number): number => LEFT + ((x - xMin) / (xMax - xMin)) * (WIDTH - LEFT - RIGHT);
  const toY = (y: number): number => HEIGHT - BOTTOM - (y / yMax) * (HEIGHT - TOP - BOTTOM);
  const yTicks = Array.from({ length: TICKS + 1 }, (_, index) => (yMax / TICKS) * index);
  const xTicks = text.xTicks ?? roundSteps(xMax).map((x) => [x, shortNumber(x)] as const);
  return svg(text, [
    ...yTicks.map(
      (y) =>
        `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${toY(y)}" y2="${toY(y)}" class="grid"/><text x="${LEFT - 6}" y="${toY(y) + 4}" text-anchor="end">${shortNumber(y)}</text>`,
    ),
    ...xTicks.map(
      ([x, label]) =>
        `<text x="${toX(x)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${escapeHtml(label)}</text>`,
    ),
    ...lines.map(
      ({ color, points }) =>
        `<polyline fill="none" stroke="${color}" stroke-width="2" points="${points.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(' ')}"/>`,
    ),
    ...lines.map(
      ({ name, color }, index) =>
        `<text x="${WIDTH - RIGHT - 60 * (lines.length - 1 - index)}" y="16" text-anchor="end" style="fill:${color}" class="name">${escapeHtml(name)}</text>`,
    ),
  ]);
}

/** A bar of a chart. */
export interface Bar {
  readonly name: string;
  readonly value: number;
}

const BAR_HEIGHT = 24;
const BAR_LEFT = 190;

/** Horizontal bars as inline SVG, each with its value. */
export function barChart(bars: readonly Bar[], title: string): string {
  const top = Math.max(1e-9, ...bars.map(({ value }) => value));
  const height = TOP + BAR_HEIGHT * bars.length + 8;
  const rows = bars.map(({ name, value }, index) => {
    const y = TOP + BAR_HEIGHT * index;
    const width = (value / top) * (WIDTH - BAR_LEFT - 90);
    return `<text x="${BAR_LEFT - 8}" y="${y + 15}" text-anchor="end">${escapeHtml(name)}</text><rect x="${BAR_LEFT}" y="${y + 2}" width="${width.toFixed(1)}" height="${BAR_HEIGHT - 6}" rx="3"/><text x="${BAR_LEFT + width + 6}" y="${y + 15}">${shortNumber(value)}</text>`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img"><title>${escapeHtml(title)}</title><text x="0" y="16" class="title">${escapeHtml(title)}</text>${rows.join('')}</svg>`;
}

function svg({ title, xName, yName }: ChartText, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><title>${escapeHtml(title)}</title><text x="0" y="16" class="title">${escapeHtml(title)} (${escapeHtml(yName)})</text>${parts.join('')}<text x="${WIDTH - RIGHT}" y="${HEIGHT - 2}" text-anchor="end">${escapeHtml(xName)}</text></svg>`;
}

const PICTURE_STYLE =
  'text{font:12px system-ui,sans-serif;fill:#4a5568}.title{font-weight:600;fill:#1c2430}.name{font-weight:600}.grid{stroke:#e2e8f0}';

/** Line charts below each other, as the text of an SVG file. */
export function lineChartPicture(charts: readonly string[]): string {
  const parts = charts.map((chart, index) =>
    chart.replace('<svg ', `<svg y="${HEIGHT * index}" width="${WIDTH}" height="${HEIGHT}" `),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT * charts.length}" role="img"><style>${PICTURE_STYLE}</style><rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>\n`;
}

/** The next value that is 1, 2, 2.5 or 5 times a power of ten. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 2.5, 5, 10].find((step) => value <= step * power) ?? 10);
}

/** At most five round steps from 0 up to a value. */
function roundSteps(top: number): readonly number[] {
  const step = niceTop(top / TICKS);
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => step * index);
}

/** A number with at most three significant digits. */
export function shortNumber(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return String(Number(value.toPrecision(3)));
}

/** Escapes a text for HTML and SVG. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
