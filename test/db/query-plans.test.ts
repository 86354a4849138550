import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { minuteMs } from '../../src/time/units.ts';
import { createManualClock, type ManualClock } from '../jobs/clocks/manual-clock.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { runCommand } from '../slack/command-driver.ts';
import { type RunningStack, startStack } from '../stack.ts';

/** Tables that grow with use, or with the number of workspaces and of their people. */
const growingTables = [
  'run',
  'job',
  'audit_chain',
  'report_baseline',
  'past_alert',
  'scheduled_snapshot',
  'plan',
  'access_grant',
  'approval_rule',
  'ask',
  'personal_settings',
  'vps_alias',
];

/** Queries that read all rows of a growing table, and why that is right. */
const acceptedScans: readonly { readonly query: RegExp; readonly reason: string }[] = [
  {
    query: /from "job" where "kind" not in/,
    reason: '/readyz and /metrics count jobs of unknown kinds. A workspace has a few jobs.',
  },
  {
    query: /from "plan" where .*not exists \(select "job"."id" from "job"/,
    reason:
      'Every five minutes, active reports, schedules, watches and windows without a job get one. Most are active.',
  },
  {
    query: /select "id" from "plan" where "state" in/,
    reason: 'Once a day, plans that ended are found. Most have not.',
  },
];

/** Records the SQL of every statement that runs. */
function recordStatements(): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const method of ['run', 'all', 'iterate'] as const) {
    const original = StatementSync.prototype[method];
    vi.spyOn(StatementSync.prototype, method).mockImplementation(function (this: StatementSync, ...values) {
      seen.add(this.sourceSQL);
      return Reflect.apply(original, this, values);
    });
  }
  return seen;
}

function isOwnQuery(statement: string): boolean {
  return /^\s*(select|update|delete|insert|with)\b/i.test(statement) && !/sqlite_|kysely_/.test(statement);
}

/**
 * Returns whether a step of a plan reads all rows of a growing table, or all entries of an index of
 * it. A step that uses a part of an index is a SEARCH.
 */
function scansGrowingTable(detail: string, statement: string): boolean {
  const [, name, index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
  // The jobs that are being worked on are few.
  if (name === undefined || index === 'job_claimed') return false;
  if (acceptedScans.some(({ query }) => query.test(statement))) return false;
  const table = new RegExp(`"(\\w+)" as "${name}"`).exec(statement)?.[1] ?? name;
  return [...growingTables, 'quota_slot', 'one_time_secret'].includes(table);
}

test('no query of a command, a click or a background job reads all rows of a growing table', async () => {
  const directory = makeScratchDirectory('plans');
  const file = join(directory, 'rackhand.db');
  const recorded = recordStatements();
  onTestFinished(() => void vi.restoreAllMocks());
  const clock = createManualClock(Date.now());
  // Background jobs run for the first time when the app starts.
  const running = await startStack({ databaseUrl: `sqlite:${file}`, clock, hosting: { windowMs: 250 } });
  onTestFinished(running.close);
  await useEverything(running, clock);
  const statements = [...recorded].filter(isOwnQuery);
  const isUsed = (table: string) =>
    statements.some((statement) => new RegExp(`\\b${table}\\b`).test(statement));
  expect([...growingTables, 'quota_slot'].filter((table) => !isUsed(table))).toEqual([]);

  // SQLite plans by the schema alone, so that the tables don't have to be large.
  const database = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => database.close());
  const scans = statements.flatMap((statement) =>
    database
      .prepare(`explain query plan ${statement}`)
      .all()
      .map(({ detail }) => String(detail))
      .filter((detail) => scansGrowingTable(detail, statement))
      .map((detail) => `${detail}: ${statement}`),
  );
  expect(scans).toEqual([]);
});

/** Commands, each with the beginning of its reply. */
const commands: Readonly<Record<string, RegExp>> = {
  list: /12 VPS/,
  'show VPS-10005': /VPS-10005/,
  quota: /./,
  'history --kind all': /./,
  'history web-01': /./,
  'history @U0ALICE --failed': /./,
  history: /./,
  'alias VPS-10004 anvil': /./,
  whoami: /./,
  'access grant @U0BOB operate': /./,
  'mute VPS-10006': /./,
  'watch show Busy': /Busy/,
  'report show Soon': /Soon/,
  'report edit Soon --when "daily 10:00"': /./,
  'report pause Soon': /./,
  'report resume Soon': /./,
  'maintenance VPS-10003 now for 30m --name Upgrade': /has begun$/,
  'maintenance list': /./,
  'schedule list': /./,
  'approval require disrupt --channel #ops': /^Approval is now required/,
  'approval list': /./,
};

const scheduleCommands = ['show', 'skip', 'pause', 'resume', 'delete'];

/** Uses every part of Rackhand that queries the database while people and background jobs work. */
async function useEverything(running: RunningStack, clock: ManualClock): Promise<void> {
  const { slack, service } = running;
  const dueMs = clock.now() + 3 * minuteMs;
  const at = new Date(dueMs).toISOString().slice(11, 16);
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  // Rackhand's clock only moves here, also past Slack's limit of a post a second.
  const untilPosted = (channel: string, text: string) =>
    vi.waitFor(
      async () => {
        await clock.advanceTo(clock.now() + minuteMs, settle);
        expect(await readTexts(running, channel)).toContainEqual(expect.stringContaining(text));
      },
      { timeout: 60_000, interval: 200 },
    );

  // A watch is evaluated, a report is posted, a schedule is executed, and the progress of a reboot is polled.
  await service.load('VPS-10001', { cpu: 0.95 });
  await runCommand(running, 'watch add web-01 cpu > 90% for 0m --name Busy', /was added$/);
  await runCommand(
    running,
    `report add daily ${at} --zone UTC --name Soon --channel #general`,
    /is scheduled$/,
  );
  await slack.slash(
    `schedule snapshot VPS-10004 daily ${at} --zone UTC --keep 1d --name Nightly --announce 0m`,
  );
  const planned = await slack.message('Schedule this?');
  const buttons = planned.blocks.flatMap(({ elements = [] }) => elements);
  const press = buttons.find((button) => JSON.stringify(button).includes('"text":"Schedule"'));
  await slack.click(planned, press?.action_id ?? '');
  await slack.message('is scheduled');
  await slack.slash('reboot VPS-10002');
  await slack.click(await slack.message('Reboot web-02 (VPS-10002)?'), 'confirm');
  await untilPosted('C0OPS', '⚠️');
  await untilPosted('C0OPS', 'Take a snapshot');
  await untilPosted('C0GENERAL', 'need a look');

  for (const command of scheduleCommands) await runCommand(running, `schedule ${command} Nightly`, /./);
  for (const [command, reply] of Object.entries(commands)) await runCommand(running, command, reply);

  // Somebody asks for approval, which App Home shows.
  await slack.slash('reboot VPS-10005', { user: 'U0BOB' });
  await slack.click(await slack.message('Reboot db-01 (VPS-10005)?', 'C0OPS', 'U0BOB'), 'confirm', {
    user: 'U0BOB',
  });
  await untilPosted('C0OPS', 'approval needed');
  const card = await slack.message('approval needed');
  await slack.act('home', { user: 'U0ALICE' });
  const home = `${slack.url}/sandbox/views?team=T0ACME&user=U0ALICE`;
  await expect.poll(async () => (await fetch(home)).text()).toContain('Waiting for your approval');
  await slack.click(card, 'step:0');
  await untilPosted('C0OPS', 'In progress');
}

async function readTexts({ slack }: RunningStack, channel: string): Promise<readonly string[]> {
  return (await slack.messages(channel)).map(({ text }) => text);
}
