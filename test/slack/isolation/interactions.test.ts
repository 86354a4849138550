import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningStack, startStack, textOf } from '../../stack.ts';
import { deliver, type Person } from './forge.ts';
import { type Element, elementsOfMessages, type SentView, viewOf } from './surfaces.ts';

/** Who tries everything of Alice's: somebody of the workspace who was granted nothing, and who is not of it. */
const people: Readonly<Record<string, Person>> = {
  'who was granted nothing': { user: 'U0BOB', team: 'T0ACME', home: 'T0ACME' },
  'a guest': { user: 'U0DAVE', team: 'T0ACME', home: 'T0ACME' },
  'of another organisation': { user: 'U0ERIN', team: 'T0ACME', home: 'T0INITECH' },
  'of another workspace': { user: 'U0GWEN', team: 'T0GLOBEX', home: 'T0GLOBEX' },
};

let running: RunningStack;
let folder: string;
const elements = new Map<string, Element>();
const views = new Map<string, SentView>();

function keep(found: readonly Element[], sent: readonly SentView[] = []): void {
  for (const element of found)
    elements.set(`${element.name} ${JSON.stringify(element.action.value ?? '')}`, element);
  for (const view of sent) views.set(view.name, view);
}

/** Waits until something says so. */
async function until(words: string, look: () => Promise<string>): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await look()).includes(words)) throw new Error(`nothing says ${words}`);
    },
    { timeout: 5_000, interval: 5 },
  );
}

const topView = async () => textOf(await running.slack.modal());

/** Alice opens what a command opens, and what is in it is kept. */
async function keepView(text: string, words: string): Promise<void> {
  const { slack } = running;
  await slack.slash(text);
  await until(words, topView);
  const { elements: found, sent } = await viewOf(running, 'U0ALICE');
  keep(found, sent);
}

/** Everything that Rackhand keeps which is not the tries themselves. */
function keptRows(): Readonly<Record<string, unknown>> {
  const copy = join(folder, 'copy.db');
  for (const suffix of ['', '-wal']) {
    if (existsSync(join(folder, `app.db${suffix}`)))
      copyFileSync(join(folder, `app.db${suffix}`), copy + suffix);
  }
  const database = new DatabaseSync(copy);
  const tables = ['access_grant', 'channel_limit', 'access_request', 'approval_rule', 'api_key', 'secret'];
  const rows = Object.fromEntries(
    tables.map((table): [string, unknown] => [table, database.prepare(`select * from ${table}`).all()]),
  );
  const runs = database
    .prepare("select id, status, outcome, approved_by from run where user_id = 'U0ALICE' order by id")
    .all();
  database.close();
  return { ...rows, runs };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rackhand-isolation-'));
  running = await startStack({
    delivery: 'http',
    databaseUrl: `sqlite:${join(folder, 'app.db')}`,
    hosting: { vpsCount: 60 },
    grants: [{ grantee: 'U0CAROL', right: 'look', pattern: '*' }],
  });
  const { slack, service } = running;
  await slack.slash('access ask change', { user: 'U0CAROL' });
  await slack.message('Somebody asks for a right', 'U0ALICE');
  keep(await elementsOfMessages(running, 'U0ALICE', 'U0ALICE'));
  for (const [text, words] of [
    ['list', '60 VPS'],
    ['backup show VPS-10001', 'Backup'],
    ['reinstall VPS-10003 --os debian-13', 'Reinstall VPS-10003 with'],
    ['access grant nobody look', 'Slack does not know nobody'],
  ] as const) {
    await slack.slash(text);
    await slack.message(words);
  }
  await service.fault('status:409', { method: 'POST' });
  await slack.slash('snapshot create VPS-10004 nightly');
  await slack.message('❌ Failed');
  await slack.slash('approval require disturb --channel #ops');
  await slack.message('a second person approves');
  await slack.slash('reboot VPS-10002');
  await slack.click(await slack.message('Reboot VPS-10002?'), 'confirm');
  await slack.message('Reboot VPS-10002: a second person is asked');
  await slack.slash('reboot VPS-10001');
  await slack.message('Reboot VPS-10001?');
  keep(await elementsOfMessages(running, 'U0ALICE'));
  await keepView('lb create', 'Backend');
  await keepView('access', '<@U0CAROL>');
  await keepView('access grant', 'User groups');
  await keepView('access channel', 'At most');
  await keepView('rotate', 'New API key');
  await keepView('disconnect', 'Delete the API key');
  await slack.act('shortcut', { user: 'U0ALICE', callback_id: 'run-operation' });
  keep([], (await viewOf(running, 'U0ALICE')).sent);
  const card = await slack.message('Reinstall VPS-10003 with');
  await slack.click(card, 'confirm:typed');
  await until('Type VPS-10003', topView);
  keep([], (await viewOf(running, 'U0ALICE')).sent);
  await slack.act('home', { user: 'U0ALICE' });
  await until('VPS-10001', () => slack.home());
  keep((await viewOf(running, 'U0ALICE', 'home')).elements);
}, 60_000);

afterAll(async () => {
  await running.close();
  rmSync(folder, { recursive: true, force: true });
});

test('show', async () => {
  console.log([...elements.keys()].join('\n'));
  console.log([...views.keys()].join('\n'));
});
