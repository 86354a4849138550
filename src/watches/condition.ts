import { z } from 'zod';
import { formatDuration, formatPercent, formatRate } from '../charts/figures.ts';

const minuteMs = 60_000;

/** Longest that a condition may have to hold before it is told. */
export const longestForMs = 24 * 60 * minuteMs;

const forMs = z.int().min(0).max(longestForMs);

/** Kinds of figures: shares of what a VPS has, in percent, and what flows in and out of it together, in bytes per second. */
export const shareMeasures = ['cpu', 'memory', 'disk'] as const;

/** What a watch waits for, as its row keeps it: a figure beyond a threshold, or a state, for so long. */
export const condition = z.discriminatedUnion('measure', [
  z.object({
    measure: z.enum([...shareMeasures, 'traffic']),
    is: z.enum(['over', 'under']),
    figure: z.number().positive(),
    forMs,
  }),
  z.object({
    measure: z.literal('state'),
    is: z.enum(['is', 'is not']),
    /** The service's own word, in any case of letters. */
    state: z.string().min(1),
    forMs,
  }),
]);

export type Condition = z.infer<typeof condition>;

export type Figured = Exclude<Condition, { measure: 'state' }>;

/**
 * How far below a threshold (above it, for `under`) a figure has to be to be back: a tenth of the threshold, and at most 5 points of a share, so that one
 * that trembles around its threshold is told once.
 */
const marginShare = 0.1;
const mostMarginPoints = 5;

/** Readings in a row, that far back, which end it; `describeEnd` says so. */
export const readingsToEnd = 2;

/** Gives the figure at which a condition is over: down to it from above the threshold, or up to it from below. */
export function backAt({ measure, is, figure }: Figured): number {
  if (measure === 'traffic') return figure * (is === 'over' ? 1 - marginShare : 1 + marginShare);
  const margin = Math.min(mostMarginPoints, figure * marginShare);
  // Half of what is left to 100 %: one that waits for more than there is would never end.
  return is === 'over' ? figure - margin : figure + Math.min(margin, Math.max(0, 100 - figure) / 2);
}

const names: Readonly<Record<Condition['measure'], string>> = {
  cpu: 'CPU',
  memory: 'memory',
  disk: 'disk',
  traffic: 'traffic',
  state: 'state',
};

/** Names what is measured, as it stands within a sentence. */
export function measureName({ measure }: Condition): string {
  return names[measure];
}

const megabitBytes = 125_000;

/** Tells whether a threshold of traffic was meant in bits, so that whatever is told beside it is told in them too. */
export function isInBits({ measure, figure }: Figured): boolean {
  return measure === 'traffic' && Number.isInteger(figure / megabitBytes);
}

/** Writes a figure of a condition with its unit. */
export function writeFigure(watched: Condition, figure: number): string {
  if (watched.measure === 'state') return String(figure);
  if (isInBits(watched)) return `${Number((figure / megabitBytes).toPrecision(3))} Mbit/s`;
  return watched.measure === 'traffic' ? formatRate(figure) : formatPercent(figure);
}

/** Says what is waited for, without how long: `over 90 %`, `is not running`. */
export function describeThreshold(watched: Condition): string {
  if (watched.measure === 'state') return `${watched.is} ${watched.state}`;
  return `${watched.is} ${writeFigure(watched, watched.figure)}`;
}

/** Says what is waited for: `CPU over 90 % for 10 min`. */
export function describeCondition(watched: Condition): string {
  const lasting = watched.forMs === 0 ? '' : ` for ${formatDuration(watched.forMs)}`;
  return `${measureName(watched)} ${describeThreshold(watched)}${lasting}`;
}

/** Says by what it ends: `two readings in a row at 85 % or less`. */
export function describeEnd(watched: Condition): string {
  if (watched.measure === 'state')
    return `two readings in a row ${watched.is === 'is' ? 'of another state' : `of the state ${watched.state}`}`;
  const side = watched.is === 'over' ? 'less' : 'more';
  return `two readings in a row at ${writeFigure(watched, backAt(watched))} or ${side}`;
}
