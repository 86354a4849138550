import type { Logger } from 'pino';
import { z } from 'zod';
import type { LineChartSpec, Series } from '../../../charts/chart-spec.ts';
import { lineChartTakeaway } from '../../../charts/takeaways.ts';
import type { Database } from '../../../db/engines/database.ts';
import type { rrdRanges } from '../../../hosting/endpoints/fields.ts';
import { getRrdMonitoring } from '../../../hosting/endpoints/monitoring.ts';
import { type RrdHistory, readRrdHistory } from '../../../hosting/payloads/history.ts';
import type { Jobs } from '../../../jobs/jobs.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { Chart } from '../../../operations/define/outcome.ts';
import type { Read } from '../../../operations/define/read.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { dayMs, minuteMs } from '../../../time/units.ts';
import type { UploadChart } from '../../shared/channel-publisher.ts';
import { readEach } from '../../shared/fleet-reads.ts';
import { capitalize } from '../../shared/text-format.ts';
import { buildTimeSeries, sumSeries } from '../../shared/time-series.ts';
import { formatThreshold, type MetricCondition, measureName } from '../condition.ts';
import { type Alert, isAlertOpen } from '../evaluation/alert.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { type NamedMember, sortMembers } from './format-alert.ts';

const payload = z.object({ beganMs: z.number() });

interface AlertPictureDependencies {
  readonly jobs: Pick<Jobs, 'clock' | 'define'>;
  readonly store: Pick<WatchStore, 'get' | 'changeAlert'>;
  readonly readFor: (teamId: string) => Read;
  readonly uploadChart: UploadChart;
  readonly labelVpsFor: LabelVpsFor;
  readonly findTimeZone: (actor: Actor) => Promise<string>;
  readonly refresh: (watch: Watch) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Maximum lines in a chart. More wouldn't be readable on a phone, and each costs a call. */
const maxLines = 3;

/** Maximum attempts. A later chart wouldn't help anymore. */
const maxAttempts = 3;

type Range = (typeof rrdRanges)[number];

/**
 * Creates the job that adds a chart of the watched figure to a posted alert. The chart isn't updated
 * later. If it can't be drawn, the alert goes without.
 */
export function createAlertPictureJob(dependencies: AlertPictureDependencies) {
  const { jobs, store, readFor, uploadChart, labelVpsFor, findTimeZone, refresh, log } = dependencies;
  const { clock } = jobs;

  async function makePicture(watch: Watch, alert: Alert, signal: AbortSignal) {
    const { teamId, condition, createdBy } = watch;
    if (condition.measure === 'state') return undefined;
    const metric: MetricCondition = condition;
    const labelVps = await labelVpsFor(teamId);
    const members = sortMembers({ watch, alert, labelVps })
      .filter(({ endedMs }) => endedMs === null)
      .slice(0, maxLines);
    const nowMs = clock.now();
    const range = chooseRange(metric, nowMs - Math.min(...members.map(({ sinceMs }) => sinceMs)));
    const read = readFor(teamId);
    const lines = await readEach(
      members,
      async (member) => {
        const input = { params: { vps_name: member.vps }, query: { range } };
        const history = readRrdHistory(await read(getRrdMonitoring, input), member.vps);
        return toLine(watch, metric, member, history, nowMs);
      },
      signal,
    );
    const drawn = lines.filter(({ points }) => points.length > 1);
    if (drawn.length === 0) return undefined;
    const timeZone = await findTimeZone({ teamId, userId: createdBy });
    const chart = toChart(metric, drawn, range, timeZone);
    const fileId = await uploadChart(teamId, chart);
    if (fileId === undefined) throw new Error('the chart was not uploaded');
    return { fileId, altText: chart.takeaway };
  }

  const queue = jobs.define<z.infer<typeof payload>>({
    name: 'alert-picture',
    payload,
    retry: { firstMs: 10_000, maxMs: 5 * minuteMs },
    concurrency: 5,
    async handle({ id, payload: { beganMs }, attempt }, { signal }) {
      const watch = await store.get(id);
      const alert = watch?.alertState.alert;
      if (!watch || alert?.beganMs !== beganMs || alert.picture || !isAlertOpen(alert))
        return { kind: 'done' };
      const picture = await makePicture(watch, alert, signal).catch((error: unknown) => {
        if (signal.aborted || attempt < maxAttempts) throw error;
        log.warn({ err: error, watchId: id }, 'an alert has no chart');
        return undefined;
      });
      const changed =
        picture && (await store.changeAlert(id, beganMs, (current) => ({ ...current, picture })));
      if (changed) await refresh(changed);
      return { kind: 'done' };
    },
  });

  return {
    /** Schedules the chart for an alert posted in the same transaction. */
    schedule: ({ id, teamId }: Watch, { beganMs }: Alert, transaction: Database): Promise<void> =>
      queue.schedule({ id, teamId, payload: { beganMs } }, transaction),
  };
}

/** Returns a range that includes the time before the alert. Disks get a longer range, because they fill up slowly. */
function chooseRange({ measure }: MetricCondition, lengthMs: number): Range {
  if (lengthMs > 0.8 * dayMs) return 'week';
  return measure === 'disk' || lengthMs > 45 * minuteMs ? 'day' : 'hour';
}

/** Returns a chart line with the service's history, plus the latest reading if that is newer. */
function toLine(
  { alertState: { vpsStates } }: Watch,
  { measure }: MetricCondition,
  { vps, label }: NamedMember,
  history: RrdHistory,
  nowMs: number,
): Series {
  const series = (metric: Parameters<typeof buildTimeSeries>[1]) => buildTimeSeries([history], metric, nowMs);
  const stored =
    measure === 'traffic' ? sumSeries(series('networkIn'), series('networkOut')) : series(measure);
  const { readMs = null, latest = null } = vpsStates[vps] ?? {};
  const isNewer = readMs !== null && readMs > (stored.at(-1)?.fromMs ?? 0);
  return {
    label: label.replace(/ \(VPS-[^)]*\)$/, ''),
    points: [
      ...stored.map(({ fromMs, value }) => ({ timeMs: fromMs, value })),
      ...(isNewer ? [{ timeMs: readMs, value: latest }] : []),
    ],
  };
}

function toChart(
  condition: MetricCondition,
  lines: readonly Series[],
  range: Range,
  timeZone: string,
): Chart<LineChartSpec> {
  const label = capitalize(measureName(condition));
  const unit = condition.measure === 'traffic' ? 'bytesPerSecond' : 'percent';
  const times = lines.flatMap(({ points }) => points.map(({ timeMs }) => timeMs));
  const threshold: Series = {
    label: `Alerts ${formatThreshold(condition)}`,
    points: [Math.min(...times), Math.max(...times)].map((timeMs) => ({ timeMs, value: condition.figure })),
  };
  const [only] = lines;
  const title =
    only && lines.length === 1 ? `${only.label}: ${label}, last ${range}` : `${label}, last ${range}`;
  const panel = { label, unit } as const;
  return {
    spec: { kind: 'line', title, panels: [{ ...panel, series: [...lines, threshold] }], timeZone },
    takeaway: `${title}. ${lineChartTakeaway({ panels: [{ ...panel, series: lines }], timeZone })}`,
  };
}
