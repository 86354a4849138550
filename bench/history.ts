import { DatabaseSync } from 'node:sqlite';
import { answerTime, withDriver } from './commands.ts';

/** A year with a run every half minute, of 100 workspaces. One of them has half of the runs. */
const runCount = 1_000_000;
const workspaceCount = 100;
const largeTeamId = 'T0ACME';
const pageCount = 20;

const commands = [
  'history --kind all',
  'history',
  'history @bob',
  'history VPS-10002',
  'history --target acme',
];

/** Measures pages of the activity log after a year of runs on SQLite. */
export async function benchHistory(): Promise<void> {
  console.log(`\nActivity log of a year: ${runCount} runs, half of them in one workspace`);
  await withDriver(
    async ({ slack, measure }) => {
      for (const command of commands)
        await measure(`/vps ${command}`, pageCount, () => answerTime(slack, command, /ctivity/));
    },
    (file) => seed(file, Date.now()),
  );
}

/** Inserts the runs: one every half minute. */
function seed(file: string, nowMs: number): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  database.exec('PRAGMA cache_size = -1000000');
  // The IDs have an order unlike that of the times.
  database.exec(`insert into run (id, request_key, team_id, user_id, operation, log_kind, input, target, origin, status,
      outcome, error_code, requested_at, queued_at, settled_at, sealed_at, trimmed_at)
    with recursive counter(n) as (
      select 0 union all select n + 1 from counter where n + 1 < ${runCount}
    ), numbered as (
      select n, 'VPS-' || (10000 + (n / ${workspaceCount}) % 100) as vps,
        case when n % 2 = 0 then '${largeTeamId}' else 'T' || (n / 2 % ${workspaceCount}) end as team,
        case when n / 2 % 20 = 0 then 'reboot' when n / 2 % 20 = 5 then 'history'
          when n / 2 % 3 = 0 then 'help' else 'show' end as operation,
        n / 2 % 20 = 7 as is_typo,
        ${nowMs} - (${runCount} - n) * 30000 as at
      from counter
    )
    select printf('%08x-%d', (n * 2654435761) & 4294967295, n), 'key-' || n, team,
      case n % 7 when 3 then 'U0BOB' when 1 then 'U0CAROL' else 'U0ALICE' end, operation,
      case when operation in ('help', 'show', 'history') then 'reads' else 'changes' end,
      case when operation in ('help', 'history') then '{}' else json_object('vps', vps) end,
      case when operation in ('help', 'history') then null else vps end, '{"kind":"command","channel":"C1"}',
      case when is_typo then 'refused' else 'done' end,
      case when is_typo then '{"kind":"problem","problem":{"message":"A typo"}}'
        else '{"kind":"outcome","outcome":{"title":"VPS"}}' end,
      case when is_typo then 'input_invalid' end, at, at, at, at, at
    from numbered`);
  database.close();
}
