import { maxReportLateMs, secondReportMs } from '../simulated-reports.ts';
import type { World } from '../world.ts';

/** Each occurrence is posted once, or marked as a possible repeat. */
export function checkReports(world: World): string[] {
  const posts = world.events.filter((event) => event.kind === 'posted');
  const byOccurrence = Map.groupBy(posts, ({ reportId, dueMs }) => `${reportId} at ${dueMs}`);
  const doubled = [...byOccurrence]
    .filter(([, those]) => those.filter(({ isRepeat }) => !isRepeat).length > 1)
    .map(([name]) => `report ${name} was posted twice`);
  return [...doubled, ...checkFirst(world), ...checkPunctuality(world)];
}

/** The first occurrence, which is due during the trouble, is posted or passed over. */
function checkFirst({ events, scenario, time }: World): string[] {
  if (scenario.hasClockChange) return [];
  const startedMs = time.wallNow() - time.now();
  const isFirst = (dueMs: number) => dueMs - startedMs < secondReportMs;
  const handled = events.flatMap((event) =>
    (event.kind === 'posted' || event.kind === 'passedOver') && isFirst(event.dueMs) ? [event.reportId] : [],
  );
  const lost = scenario.reportCount - new Set(handled).size;
  return lost === 0 ? [] : [`${lost} of ${scenario.reportCount} reports lost their first occurrence`];
}

/** Once the trouble is over, reports come on time. */
function checkPunctuality({ events, scenario }: World): string[] {
  if (scenario.hasClockChange) return [];
  const isPunctual = (atMs: number) => atMs >= secondReportMs && atMs <= secondReportMs + maxReportLateMs;
  const posts = events.filter((event) => event.kind === 'posted' && isPunctual(event.atMs));
  return posts.length === scenario.reportCount
    ? []
    : [`${posts.length} of ${scenario.reportCount} reports came on time at the end`];
}
