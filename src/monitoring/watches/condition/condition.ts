import { z } from 'zod';
import { formatDuration, formatPercent, formatRate } from '../../../charts/format/format-quantity.ts';
import { minuteMs } from '../../../time/units.ts';

/** Maximum duration of a condition. */
export const maxForMs = 24 * 60 * minuteMs;

const forMs = z.int().min(0).max(maxForMs);

/**
 * Measures that a watch can have: usage in percent, and traffic (in and out added up) in bytes per
 * second.
 */
export const percentMeasures = ['cpu', 'memory', 'disk'] as const;

/**
 * A watch's condition, as it is stored: a figure is beyond a threshold, or a state applies, for
 * some time.
 */
export const condition = z.discriminatedUnion('measure', [
  z.object({
    measure: z.enum([...percentMeasures, 'traffic']),
    is: z.enum(['over', 'under']),
    figure: z.number().positive(),
    forMs,
  }),
  z.object({
    measure: z.literal('state'),
    is: z.enum(['is', 'is not']),
    /** The state, in the service's words. Case is ignored. */
    state: z.string().min(1),
    forMs,
  }),
]);

export type Condition = z.infer<typeof condition>;

export type MetricCondition = Exclude<Condition, { measure: 'state' }>;

/**
 * How far back from its threshold a figure must be to count as recovered: a tenth of the threshold,
 * but at most 5 percentage points. A figure that fluctuates around the threshold therefore alerts
 * only once.
 */
const hysteresisShare = 0.1;
const maxHysteresisPoints = 5;

/**
 * How many recovered readings in a row end an alert. `formatRecovery` contains this number as a
 * word.
 */
export const recoveryReadings = 2;

/** Returns the figure at which an alert ends. It is below an upper threshold, or above a lower one. */
export function recoveryThreshold({ measure, is, figure }: MetricCondition): number {
  if (measure === 'traffic') return figure * (is === 'over' ? 1 - hysteresisShare : 1 + hysteresisShare);
  const margin = Math.min(maxHysteresisPoints, figure * hysteresisShare);
  // At most half of the distance to 100%, because with a larger margin, an alert might never end.
  return is === 'over' ? figure - margin : figure + Math.min(margin, Math.max(0, 100 - figure) / 2);
}

const measureNames: Readonly<Record<Condition['measure'], string>> = {
  cpu: 'CPU',
  memory: 'memory',
  disk: 'disk',
  traffic: 'traffic',
  state: 'state',
};

/** Returns the measure's name for use within a sentence. */
export function measureName({ measure }: Condition): string {
  return measureNames[measure];
}

const megabitBytes = 125_000;

/** Returns whether a traffic threshold was typed in bits. Related figures then use bits too. */
export function isInBits({ measure, figure }: MetricCondition): boolean {
  return measure === 'traffic' && Number.isInteger(figure / megabitBytes);
}

/** Formats a figure of a condition with its unit. A figure beyond the threshold never looks equal to it. */
export function formatMetric(watched: Condition, figure: number): string {
  if (watched.measure === 'state') return String(figure);
  const text = formatFigure(watched, figure);
  const isBeyond = watched.is === 'over' ? figure > watched.figure : figure < watched.figure;
  return isBeyond && text === formatFigure(watched, watched.figure) ? `just ${watched.is} ${text}` : text;
}

function formatFigure(watched: MetricCondition, figure: number): string {
  if (isInBits(watched)) return `${Number((figure / megabitBytes).toPrecision(3))} Mbit/s`;
  return watched.measure === 'traffic' ? formatRate(figure) : formatPercent(figure);
}

/** Formats the threshold of a condition without the measure and duration: `over 90%`, `is not running`. */
export function formatThreshold(watched: Condition): string {
  if (watched.measure === 'state') return `${watched.is} ${watched.state}`;
  return `${watched.is} ${formatMetric(watched, watched.figure)}`;
}

/** Formats a condition: `CPU over 90% for 10 min`. */
export function formatCondition(watched: Condition): string {
  const lasting = watched.forMs === 0 ? '' : ` for ${formatDuration(watched.forMs)}`;
  return `${measureName(watched)} ${formatThreshold(watched)}${lasting}`;
}

/** Formats the condition that ends an alert: `two checks in a row at 85% or less`. */
export function formatRecovery(watched: Condition): string {
  if (watched.measure === 'state')
    return `two checks in a row ${watched.is === 'is' ? 'in another state' : `in the state ${watched.state}`}`;
  const side = watched.is === 'over' ? 'less' : 'more';
  return `two checks in a row at ${formatMetric(watched, recoveryThreshold(watched))} or ${side}`;
}
