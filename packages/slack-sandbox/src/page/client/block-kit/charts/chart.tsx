import { type ReactNode, useId } from 'react';
import type { DataVisualizationBlock } from '../block-shapes.ts';
import { renderByIndex } from '../render-by-index.ts';
import { AxisChartView } from './axis-chart.tsx';
import { PieView } from './pie.tsx';
import { formatCompact } from './scale.ts';

/** A chart with a legend. Its numbers are also in a table, for screen readers and for people who open it. */
export function ChartView({
  block: { title, chart },
}: {
  readonly block: DataVisualizationBlock;
}): ReactNode {
  const titleId = useId();
  const series = chart.type === 'pie' ? [{ name: 'Value', data: chart.segments }] : chart.series;
  const labels =
    chart.type === 'pie' ? chart.segments.map(({ label }) => label) : chart.axis_config.categories;
  const names = chart.type === 'pie' ? labels : series.map(({ name }) => name);
  const axes = chart.type === 'pie' ? undefined : chart.axis_config;
  return (
    <figure className="kit-chart" aria-labelledby={titleId}>
      <figcaption id={titleId} className="kit-title">
        {title}
      </figcaption>
      {chart.type === 'pie' ? (
        <PieView pie={chart} title={title} />
      ) : (
        <AxisChartView chart={chart} title={title} />
      )}
      {(names.length > 1 || chart.type === 'pie') && (
        <ul className="kit-legend" aria-hidden="true">
          {names.map((name, index) => (
            <li key={name}>
              <span className={`kit-swatch kit-series-${index}`} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <details className="kit-chart-table">
        <summary>Show as table</summary>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas need keyboard access */}
        <div role="group" className="kit-table" aria-label={`${title}, as a table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{axes?.x_label ?? 'Label'}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="kit-right">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {renderByIndex(labels, (label, row) => (
                <tr>
                  <th scope="row">{label}</th>
                  {series.map(({ name, data }) => (
                    <td key={name} className="kit-right">
                      {formatCompact(
                        (chart.type === 'pie' ? data[row] : data.find((point) => point.label === label))
                          ?.value ?? 0,
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
