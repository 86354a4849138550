import type { ReactNode } from 'react';
import type { AxisChart } from '../block-shapes.ts';
import { createScale, formatCompact } from './scale.ts';
import { useElementWidth } from './use-element-width.ts';

/** In pixels. */
const chartHeight = 240;
const marginTop = 10;
const marginRight = 12;
const charWidth = 6.6;
const lineHeight = 16;

/** The area in which a chart is drawn, in pixels. */
interface Plot {
  readonly left: number;
  readonly width: number;
  readonly bottom: number;
  /** Width of one category. */
  readonly slot: number;
  x(index: number): number;
  y(value: number): number;
}

/** A bar chart, line chart or area chart. */
export function AxisChartView({
  chart,
  title,
}: {
  readonly chart: AxisChart;
  readonly title: string;
}): ReactNode {
  const [box, width] = useElementWidth(480);
  const { categories, x_label: xLabel, y_label: yLabel } = chart.axis_config;
  const rows = chart.series.map(({ data }) =>
    categories.map((label) => data.find((point) => point.label === label)?.value ?? 0),
  );
  const scale = createScale(rows.flat());
  const left =
    10 +
    charWidth * Math.max(...scale.ticks.map((tick) => formatCompact(tick).length)) +
    (yLabel ? lineHeight : 0);
  const bottom = chartHeight - 22 - (xLabel ? lineHeight : 0);
  const plotWidth = Math.max(40, width - left - marginRight);
  const slot = plotWidth / categories.length;
  const plot: Plot = {
    left,
    width: plotWidth,
    bottom,
    slot,
    x: (index) => left + slot * (index + 0.5),
    y: (value) => bottom - ((value - scale.min) / (scale.max - scale.min)) * (bottom - marginTop),
  };
  const draw = { bar: Bars, line: Lines, area: Lines }[chart.type];
  const Drawing = draw;

  return (
    <div ref={box} className="kit-chart-box">
      <svg width={width} height={chartHeight} role="img" aria-label={`${title}: ${chart.type} chart`}>
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <line
              className={tick === 0 ? 'kit-axis' : 'kit-grid'}
              x1={left}
              x2={left + plotWidth}
              y1={plot.y(tick)}
              y2={plot.y(tick)}
            />
            <text
              className="kit-tick"
              x={left - 6}
              y={plot.y(tick)}
              textAnchor="end"
              dominantBaseline="middle"
            >
              {formatCompact(tick)}
            </text>
          </g>
        ))}
        <CategoryLabels categories={categories} plot={plot} />
        <Drawing plot={plot} rows={rows} chart={chart} />
        {xLabel && (
          <text className="kit-axis-title" x={left + plotWidth / 2} y={chartHeight - 4} textAnchor="middle">
            {xLabel}
          </text>
        )}
        {yLabel && (
          <text
            className="kit-axis-title"
            transform={`translate(12 ${(marginTop + bottom) / 2}) rotate(-90)`}
            textAnchor="middle"
          >
            {yLabel}
          </text>
        )}
      </svg>
    </div>
  );
}

/** Shows as many category labels as fit. */
function CategoryLabels({
  categories,
  plot,
}: {
  readonly categories: readonly string[];
  readonly plot: Plot;
}) {
  const longest = Math.min(20, Math.max(...categories.map((label) => label.length)));
  const every = Math.max(1, Math.ceil((Math.min(longest, 12) * charWidth + 8) / plot.slot));
  const room = Math.max(3, Math.floor((plot.slot * every) / charWidth) - 1);
  return categories.map((label, index) => {
    if (index % every !== 0) return null;
    return (
      <text key={label} className="kit-tick" x={plot.x(index)} y={plot.bottom + 16} textAnchor="middle">
        {label.length > room ? `${label.slice(0, room - 1)}…` : label}
        <title>{label}</title>
      </text>
    );
  });
}

interface DrawingProps {
  readonly plot: Plot;
  /** The values of the series, by category. */
  readonly rows: readonly (readonly number[])[];
  readonly chart: AxisChart;
}

function Bars({ plot, rows, chart }: DrawingProps): ReactNode {
  const group = Math.min(plot.slot * 0.8, 44 * rows.length);
  const thickness = group / rows.length;
  return rows.map((values, series) => (
    <g key={chart.series[series]?.name} className={`kit-series-${series}`}>
      {values.map((value, index) => {
        const [from, to] = [plot.y(Math.max(0, value)), plot.y(Math.min(0, value))];
        return (
          <rect
            key={chart.axis_config.categories[index]}
            x={plot.x(index) - group / 2 + thickness * series + 0.5}
            y={from}
            width={Math.max(1, thickness - 1)}
            height={Math.max(value === 0 ? 0 : 1, to - from)}
            rx={Math.min(2, thickness / 4)}
          >
            <title>{formatTooltip(chart, series, index, value)}</title>
          </rect>
        );
      })}
    </g>
  ));
}

function Lines({ plot, rows, chart }: DrawingProps): ReactNode {
  return rows.map((values, series) => {
    const points = values.map((value, index) => `${plot.x(index)},${plot.y(value)}`);
    const ground = `${plot.x(values.length - 1)},${plot.y(0)} ${plot.x(0)},${plot.y(0)}`;
    return (
      <g key={chart.series[series]?.name} className={`kit-series-${series}`}>
        {chart.type === 'area' && <polygon className="kit-area" points={`${points.join(' ')} ${ground}`} />}
        <polyline className={`kit-line kit-dash-${series % 3}`} points={points.join(' ')} />
        {values.map((value, index) => (
          <circle key={chart.axis_config.categories[index]} cx={plot.x(index)} cy={plot.y(value)} r={3}>
            <title>{formatTooltip(chart, series, index, value)}</title>
          </circle>
        ))}
      </g>
    );
  });
}

function formatTooltip(
  { series, axis_config: axes }: AxisChart,
  row: number,
  index: number,
  value: number,
): string {
  return `${series[row]?.name}, ${axes.categories[index]}: ${formatCompact(value)}`;
}
