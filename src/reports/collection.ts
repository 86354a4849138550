import { RackhandError } from '../error.ts';
import { getLiveMonitoring, getRrdMonitoring } from '../hosting/endpoints/monitoring.ts';
import { listVps } from '../hosting/endpoints/vps.ts';
import { type rrdRanges, vpsName } from '../hosting/fields.ts';
import { readLive } from '../hosting/readings/live.ts';
import { type RrdReading, readRrd } from '../hosting/readings/rrd.ts';
import { readVpsList, type VpsReading } from '../hosting/readings/vps.ts';
import type { Read } from '../operations/operation.ts';
import { keepHours, reachesBack, toReading } from './history/hours.ts';
import type { HoursOfTeam } from './history/hours-store.ts';
import type { Period } from './summary/course.ts';
import type { Scope } from './summary/findings.ts';
import { reportVps, type Unread, type VpsReadings, type VpsReport } from './summary/vps-report.ts';

type Range = (typeof rrdRanges)[number];

const dayMs = 24 * 60 * 60_000;

/** Reports of one workspace that are made at about the same time share what they read: how it is now, how it was, and what was usual in the week before. */
const sharedMs = { now: 2 * 60_000, history: 10 * 60_000, usual: 60 * 60_000 } as const;

/** VPS that are read at the same time: more would only wait for the quota. */
const atOnce = 8;

/** What is to be read for a report. */
export interface Collecting extends Scope {
  readonly read: Read;
  /** Which of the VPS in the account are meant. */
  readonly isMeant: (vps: string) => boolean;
  /** What earlier reports have read of the workspace's VPS. */
  readonly hours: HoursOfTeam;
  /** Told how many of the VPS that are meant have been read. */
  readonly onRead?: (done: number, all: number) => void;
  /** Aborts between two VPS; rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** What was read of a fleet. */
export interface Collected<One> {
  readonly reports: readonly One[];
  /** Whether there may be more VPS than the service has listed. */
  readonly mayHaveMore: boolean;
}

/** Tells which histories a report on a period is made of: for a day also the days before, by which its hours are judged. */
function rangesFor(period: Period): readonly [Range, ...Range[]] {
  if (isOfOneDay(period)) return ['day', 'week'];
  return period.untilMs - period.fromMs <= 7 * dayMs ? ['week'] : ['month'];
}

/** Counts the calls that a report on so many VPS needs at most: the list, and live data and histories of each; of `keptCount` of them the week is kept. */
export function callsFor(period: Period, vpsCount: number, keptCount = 0): number {
  return 1 + vpsCount * (1 + rangesFor(period).length) - (isOfOneDay(period) ? keptCount : 0);
}

/** Tells whether the hours of a period are judged by those of the week before. */
function isOfOneDay({ fromMs, untilMs }: Period): boolean {
  return untilMs - fromMs <= dayMs;
}

/**
 * Reads a fleet for a report. What of a VPS could not be read stands in its report; only where the list itself cannot be read, or the key
 * is not accepted, this rejects.
 */
export function collect(collecting: Collecting): Promise<Collected<VpsReport>> {
  return collectReadings(collecting, (readings) => reportVps(readings, collecting));
}

/** Reads a fleet as `collect` does, and keeps of each VPS what `keep` makes of what was read. */
export async function collectReadings<One>(
  collecting: Collecting,
  keep: (readings: VpsReadings) => One,
): Promise<Collected<One>> {
  const { read, isMeant, signal, onRead } = collecting;
  const { vps, mayHaveMore } = readVpsList(
    await read(listVps, {}, { maxAgeMs: sharedMs.now, ...background }),
  );
  const meant = [...new Map(vps.map((one) => [one.name, one])).values()].filter(({ name }) => isMeant(name));
  const reports: One[] = [];
  const waiting = meant.entries();
  let done = 0;
  const readNext = async () => {
    for (const [index, one] of waiting) {
      signal?.throwIfAborted();
      reports[index] = keep(await readOne(one, collecting));
      done += 1;
      onRead?.(done, meant.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
  return { reports, mayHaveMore };
}

const background = { lane: 'background' } as const;

async function readOne(
  { name, state }: VpsReading,
  { read, period, hours }: Collecting,
): Promise<VpsReadings> {
  const params = { vps_name: name };
  if (!vpsName.safeParse(name).success) {
    const unread: Unread = { what: 'history', why: 'The API takes no such name.' };
    return { name, state, histories: [], unread: [unread] };
  }
  const unread: Unread[] = [];
  async function attempt<T>(what: Unread['what'], reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      unread.push({ what, why: whyNot(error) });
      return undefined;
    }
  }
  const live = await attempt(
    'live data',
    read(getLiveMonitoring, { params }, { maxAgeMs: sharedMs.now, ...background }).then((data) =>
      readLive(data, name),
    ),
  );
  const readRange = (range: Range, maxAgeMs: number) =>
    attempt(
      'history',
      read(getRrdMonitoring, { params, query: { range } }, { maxAgeMs, ...background }).then((data) =>
        readRrd(data, name),
      ),
    );
  const histories = isOfOneDay(period)
    ? await readDay(name, { period, hours, readRange })
    : [await readRange(rangesFor(period)[0], sharedMs.history)].filter((one) => one !== undefined);
  return { name, state, live, histories, unread: oneOfEach(unread) };
}

interface DayReading {
  readonly period: Period;
  readonly hours: HoursOfTeam;
  readonly readRange: (range: Range, maxAgeMs: number) => Promise<RrdReading | undefined>;
}

/** Reads a day, and the week before where it is not kept; and keeps what the report of the next day will need. */
async function readDay(name: string, { period, hours, readRange }: DayReading): Promise<RrdReading[]> {
  const kept = await hours.find(name);
  const isWeekKept = kept !== undefined && reachesBack(kept, period);
  const day = await readRange('day', sharedMs.history);
  const week = isWeekKept ? undefined : await readRange('week', sharedMs.usual);
  const read = [day, week].filter((one) => one !== undefined);
  if (day && (week || isWeekKept)) {
    const asked = week ? { ...period, fromMs: period.untilMs - 7 * dayMs } : period;
    await hours.keep(name, keepHours(read, kept, asked));
  }
  return isWeekKept ? [...read, toReading(kept.hours)] : read;
}

/** Two histories that could not be read for the same reason are one to say. */
function oneOfEach(unread: readonly Unread[]): readonly Unread[] {
  return [...new Map(unread.map((one) => [`${one.what} ${one.why}`, one])).values()];
}

/** Errors that concern all VPS alike, or this process: there is no report to be made of them. */
const fatal: readonly RackhandError['code'][] = ['key_missing', 'key_rejected', 'stopped'];

/** Gives a sentence for people; throws what is not of one VPS. */
function whyNot(error: unknown): string {
  if (!(error instanceof RackhandError) || fatal.includes(error.code)) throw error;
  return error.message;
}
