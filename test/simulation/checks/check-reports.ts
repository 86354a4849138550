import { maxReportLateMs, secondReportMs } from '../simulated-reports.ts';
import type { World } from '../world.ts';

/** Each occurrence has its message, in time. `checkMessages` checks that people see each of them once. */
export async function checkReports({ shared, scenario, time, slack }: World): Promise<string[]> {
  if (scenario.hasClockChange) return [];
  const messages = await shared.db.selectFrom('message').selectAll().where('kind', '=', 'report').execute();
  const startedMs = time.wallNow() - time.now();
  const dueMsOf = (key: string) => Number(key.split(':')[2]) - startedMs;
  const [first, second] = [
    messages.filter(({ key }) => dueMsOf(key) < secondReportMs - 60_000),
    messages.filter(({ key }) => Math.abs(dueMsOf(key) - secondReportMs) < 60_000),
  ];
  const lost = scenario.reportCount - first.length;
  const isLate = ({ key }: { key: string }) =>
    slack.posts.some((post) => post.key === key && post.postedMs > secondReportMs + maxReportLateMs);
  const punctual = second.filter((message) => !isLate(message)).length;
  return [
    ...(lost === 0 ? [] : [`${lost} of ${scenario.reportCount} reports lost their first occurrence`]),
    ...(punctual === scenario.reportCount
      ? []
      : [`${punctual} of ${scenario.reportCount} reports came on time at the end`]),
  ];
}
