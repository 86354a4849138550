import type { ReactNode } from 'react';
import { inOrder } from '../in-order.ts';
import type { Pie } from '../shapes.ts';
import { brief } from './scale.ts';

const radius = 100;

/** Shares of a whole. */
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
      {inOrder(segments, ({ label, value }, index) => {
        const [from, to] = [before / total, (before + value) / total];
        before += value;
        const share = Math.round((value / total) * 100);
        const [x, y] = at((from + to) / 2, radius * 0.68);
        return (
          <g className={`kit-series-${index}`}>
            {segments.length === 1 ? (
              <circle r={radius} />
            ) : (
              <path className="kit-slice" d={slice(from, to)} />
            )}
            <title>{`${label}: ${brief(value)} (${share} %)`}</title>
            {share >= 6 && (
              <text className="kit-share" x={x} y={y} textAnchor="middle" dominantBaseline="middle">
                {share} %
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function slice(from: number, to: number): string {
  const isLarge = to - from > 0.5 ? 1 : 0;
  return `M0 0 L${at(from, radius).join(' ')} A${radius} ${radius} 0 ${isLarge} 1 ${at(to, radius).join(' ')} Z`;
}

function at(turn: number, distance: number): [number, number] {
  const angle = 2 * Math.PI * (turn - 0.25);
  return [Math.cos(angle) * distance, Math.sin(angle) * distance];
}
