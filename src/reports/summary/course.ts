import type { Measure, RrdReading, SeriesPoint } from '../../hosting/readings/rrd.ts';

/** A value that was measured from one moment to another. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly value: number;
}

/** What is known of a measure over time: spans in order, none over another; where there is none, nothing is known. */
export type Course = readonly Span[];

export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Points so many steps apart belong together; what is further apart has a hole between. */
const togetherSteps = 1.5;
/** Nothing that is measured goes beyond. */
const largestValue = 1e15;
/** The year 9999. */
const latestMs = 253_402_300_799_000;

/**
 * Reads the course of a measure up to a moment, from histories of any ranges: at each time the finest that is known counts. Points
 * that are no number, come twice or lie in the future do no harm.
 */
export function courseOf(histories: readonly RrdReading[], measure: Measure, untilMs: number): Course {
  const courses = histories.flatMap(({ series }) => {
    const one = series.find((each) => each.measure === measure);
    if (!one) return [];
    const isCounter = one.unit === 'bytes' && (measure === 'networkIn' || measure === 'networkOut');
    const points = inOrder(one.points);
    return [toSpans(isCounter ? ratesOf(points) : points, untilMs)];
  });
  const finestFirst = courses.filter(({ length }) => length > 0).sort((a, b) => stepOf(a) - stepOf(b));
  let known: Course = [];
  for (const coarser of finestFirst) {
    const firstMs = known[0]?.fromMs ?? Number.POSITIVE_INFINITY;
    known = within(coarser, { fromMs: 0, untilMs: firstMs }).concat(known);
  }
  return known;
}

/** Adds courses that were measured at the same times; where one of them is not known, the sum is not. */
export function sumOf(one: Course, other: Course): Course {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const byStart = new Map(other.map((span) => [span.fromMs, span]));
  return one.flatMap((span) => {
    const twin = byStart.get(span.fromMs);
    return twin ? [{ ...span, value: span.value + twin.value }] : [];
  });
}

/** Gives what is known within a period. */
export function within(course: Course, { fromMs, untilMs }: Period): Course {
  return course
    .filter((span) => span.fromMs < untilMs && (span.untilMs > fromMs || span.fromMs >= fromMs))
    .map((span) => ({
      value: span.value,
      fromMs: Math.max(span.fromMs, fromMs),
      untilMs: Math.min(span.untilMs, untilMs),
    }));
}

/** Gives the time of which something is known. */
export function knownMs(course: Course): number {
  return course.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
}

/** Gives the mean over the time that is known; nothing of an empty course. */
export function meanOf(course: Course): number | undefined {
  if (course.length === 0) return undefined;
  const allMs = knownMs(course);
  // A single reading has no length.
  const weightOf = ({ fromMs, untilMs }: Span) =>
    allMs > 0 ? (untilMs - fromMs) / allMs : 1 / course.length;
  return course.reduce((sum, span) => sum + span.value * weightOf(span), 0);
}

/** Gives the span with the highest value, the first of several; nothing of an empty course. */
export function highestOf(course: Course): Span | undefined {
  return course.reduce<Span | undefined>(
    (high, span) => (high === undefined || span.value > high.value ? span : high),
    undefined,
  );
}

/** Gives the middle one of numbers; nothing of none. */
export function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Gives the mean of each of equally long parts of a period; `null` where nothing is known. */
export function partsOf(
  course: Course,
  { fromMs, untilMs }: Period,
  count: number,
): readonly (number | null)[] {
  const partMs = (untilMs - fromMs) / count;
  return Array.from({ length: count }, (_, index) => {
    const startMs = fromMs + index * partMs;
    return meanOf(within(course, { fromMs: startMs, untilMs: startMs + partMs })) ?? null;
  });
}

function inOrder(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const byTime = new Map<number, number | null>();
  for (const { timeMs, value } of points) {
    const read =
      value !== null && Number.isFinite(value) && value >= 0 ? Math.min(value, largestValue) : null;
    // Sums of whole milliseconds are exact, so that neighbours meet.
    const atMs = Math.round(timeMs);
    if (atMs >= 0 && atMs <= latestMs && (read !== null || !byTime.has(atMs))) byTime.set(atMs, read);
  }
  return [...byTime].map(([timeMs, value]) => ({ timeMs, value })).sort((a, b) => a.timeMs - b.timeMs);
}

/** Makes rates of a counter: what it counted between two points. Where it begins anew, nothing is known. */
function ratesOf(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  return points.slice(1).map((point, index) => {
    const { timeMs, value } = points[index] ?? point;
    const isKnown = value !== null && point.value !== null && point.value >= value;
    return {
      timeMs,
      value: isKnown ? ((point.value - value) * 1_000) / (point.timeMs - timeMs) : null,
    };
  });
}

function toSpans(points: readonly SeriesPoint[], untilMs: number): Course {
  const distances = points.slice(1).map(({ timeMs }, index) => timeMs - (points[index]?.timeMs ?? timeMs));
  const stepMs = medianOf(distances) ?? 0;
  return points.flatMap(({ timeMs, value }, index): Span[] => {
    if (value === null || timeMs > untilMs) return [];
    const distance = distances[index] ?? stepMs;
    const lengthMs = distance <= togetherSteps * stepMs ? distance : stepMs;
    return [{ fromMs: timeMs, untilMs: Math.min(timeMs + lengthMs, untilMs), value }];
  });
}

/** Gives the usual length of a span. */
export function stepOf(course: Course): number {
  return medianOf(course.map(({ fromMs, untilMs }) => untilMs - fromMs)) ?? 0;
}
