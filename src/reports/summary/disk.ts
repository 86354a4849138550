import { formatPercent } from '../../charts/figures.ts';
import { type Course, meanOf, medianOf, within } from './course.ts';
import { type Finding, type Severities, severityOf } from './finding.ts';
import type { SummarySettings } from './settings.ts';
import { type Moments, writeLength } from './words.ts';

const fullSeverities: Severities = [0.5, 0.95];
const trendSeverities: Severities = [0.4, 0.9];
const dayMs = 86_400_000;

/** Fewer readings, or a shorter time, tell nothing of a trend. */
const fewestReadings = 8;
const shortestMs = dayMs / 2;
/** A trend is carried on for at most so many times as long as it was watched. */
const furthest = 7;
/** A trend has grown by at least so many points, and of all pairs of readings so many show growth. */
const leastGrowth = 1;
const growingShare = 0.75;
/** A fall by so many points means that somebody has cleaned up: what was before tells nothing any more. */
const cleanedPoints = 5;
/** All pairs of more readings would take too long, and tell no more. */
const mostReadings = 48;

/** How full a disk is, and when that was read. */
export interface DiskLevel {
  readonly percent: number;
  readonly atMs: number;
}

/** Finds a disk that is as full as the threshold, or more. */
export function findFullDisk(
  { percent, atMs }: DiskLevel,
  { diskPercent }: Pick<SummarySettings, 'diskPercent'>,
  { untilMs, moments }: { readonly untilMs: number; readonly moments: Moments },
): Finding | undefined {
  if (diskPercent === 0 || percent < diskPercent) return undefined;
  const isOld = untilMs - atMs > dayMs / 4;
  const figure = `${formatPercent(percent)}${isOld ? ` at ${moments.at(atMs)}` : ''}`;
  const share = Math.min(1, (percent - diskPercent) / (100 - diskPercent));
  return {
    kind: 'disk',
    words: `disk ${figure}`,
    detail: `The disk is ${isOld ? 'last known to be ' : ''}${figure} full.`,
    severity: fullSeverities[0] + (fullSeverities[1] - fullSeverities[0]) * share,
  };
}

/** Finds a disk that fills within the days of the settings, if it goes on growing as it did. */
export function findFillingDisk(
  course: Course,
  { percent }: DiskLevel,
  { diskFullDays }: Pick<SummarySettings, 'diskFullDays'>,
): Finding | undefined {
  if (percent >= 100) return undefined;
  const since = sinceCleaned(course);
  const watchedMs = (since.at(-1)?.untilMs ?? 0) - (since[0]?.fromMs ?? 0);
  if (since.length < fewestReadings || watchedMs < shortestMs) return undefined;
  const growth = growthOf(thinned(since));
  const grown = (growth.pointsPerDay * watchedMs) / dayMs;
  if (grown < leastGrowth || growth.growingShare < growingShare) return undefined;
  const leftDays = (100 - percent) / growth.pointsPerDay;
  if (leftDays > diskFullDays || leftDays * dayMs > furthest * watchedMs) return undefined;
  const when = leftDays < 1 ? 'within a day' : `in about ${countDays(leftDays)}`;
  return {
    kind: 'diskTrend',
    words: `disk ${formatPercent(percent)}, full ${when}`,
    detail: `The disk grew by about ${formatPercent(grown)} of its size in ${writeLength(watchedMs)}, to ${formatPercent(percent)}: if that goes on, it is full ${when}.`,
    severity: severityOf(trendSeverities, Math.max(0, diskFullDays - leftDays), 3),
  };
}

function countDays(days: number): string {
  const whole = Math.floor(days);
  return `${whole} ${whole === 1 ? 'day' : 'days'}`;
}

function sinceCleaned(course: Course): Course {
  const fall = course.findLastIndex((span, index) => {
    const before = course[index - 1]?.value ?? span.value;
    return before - span.value > cleanedPoints;
  });
  return course.slice(Math.max(0, fall));
}

/** Leaves so many readings, each the mean of an equally long time. */
function thinned(course: Course): Course {
  const [firstMs, lastMs] = [course[0]?.fromMs ?? 0, course.at(-1)?.untilMs ?? 0];
  if (course.length <= mostReadings) return course;
  const partMs = (lastMs - firstMs) / mostReadings;
  return Array.from({ length: mostReadings }, (_, index) => {
    const fromMs = firstMs + index * partMs;
    const untilMs = fromMs + partMs;
    return { fromMs, untilMs, value: meanOf(within(course, { fromMs, untilMs })) };
  }).flatMap(({ value, ...part }) => (value === undefined ? [] : [{ ...part, value }]));
}

/** The middle one of the slopes between all readings: neither a peak nor a dip can turn it (Theil and Sen). */
function growthOf(course: Course): { readonly pointsPerDay: number; readonly growingShare: number } {
  const slopes = course.flatMap((later, index) =>
    course
      .slice(0, index)
      .map((earlier) => ((later.value - earlier.value) / (later.fromMs - earlier.fromMs)) * dayMs),
  );
  const growing = slopes.filter((slope) => slope > 0).length;
  return { pointsPerDay: medianOf(slopes) ?? 0, growingShare: growing / Math.max(1, slopes.length) };
}
