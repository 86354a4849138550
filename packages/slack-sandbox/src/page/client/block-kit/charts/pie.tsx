import type { ReactNode } from 'react';
import type { Pie } from '../block-shapes.ts';
import { renderByIndex } from '../render-by-index.ts';
import { formatCompact } from './scale.ts';

const radius = 100;

/** A pie chart. */
export function PieView({
  pie: { segments },
  title,
}: {
  readonly pie: Pie;
  readonly title: string;
}): ReactNode {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  return (
    <svg className="kit-pie" viewBox="-104 -104 208 208" role="img" aria-label={`${title}: pie chart`}>
      {renderByIndex(segments, ({ label, value }, index) => {
        const [from, to] = [before / total, (before + value) / total];
        before += value;
        const share = Math.round((value / total) * 100);
        const [x, y] = pointOnCircle((from + to) / 2, radius * 0.68);
        return (
          <g className={`kit-series-${index}`}>
            {segments.length === 1 ? (
              <circle r={radius} />
            ) : (
              <path className="kit-slice" d={slicePath(from, to)} />
            )}
            <title>{`${label}: ${formatCompact(value)} (${share}%)`}</title>
            {share >= 6 && (
              <text className="kit-share" x={x} y={y} textAnchor="middle" dominantBaseline="middle">
                {share}%
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function slicePath(from: number, to: number): string {
  const isLarge = to - from > 0.5 ? 1 : 0;
  return `M0 0 L${pointOnCircle(from, radius).join(' ')} A${radius} ${radius} 0 ${isLarge} 1 ${pointOnCircle(to, radius).join(' ')} Z`;
}

function pointOnCircle(turn: number, distance: number): [number, number] {
  const angle = 2 * Math.PI * (turn - 0.25);
  return [Math.cos(angle) * distance, Math.sin(angle) * distance];
}
