import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createStack } from '../src/sandbox/stack.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../test/stack.ts';
import { printTable } from './statistics.ts';

const vpsCount = 10_000;
const pageSize = 50;
const lastName = `VPS-${10_000 + vpsCount}`;

/** A shorter quota window, so that four minutes take forty seconds. */
const timesFaster = 6;

const user = 'U0ALICE';

interface Measured {
  readonly calls: number;
  readonly seconds: number;
  readonly result: string;
}

/**
 * Measures what people wait for with 10,000 VPS in 200 pages: a command by name, a select's options
 * and a report's plan, first with nothing stored and then with the whole list.
 */
export async function benchPages(): Promise<void> {
  const rows: string[][] = [];
  const stack = await createStack({
    hosting: { port: 0, vpsCount, pageSize, windowMs: 60_000 / timesFaster },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: 'sqlite::memory:',
    encryptionKey: new Uint8Array(32),
    log: pino({ level: 'silent' }),
  });
  const slack = createSlackDriver(stack.slack.url);
  const service = createHostingDriver(stack.hosting.url);
  const countCalls = async () => (await service.calls()).length;
  const countPages = async () => (await service.calls()).filter(({ path }) => path === '/v1/vps').length;

  async function measure(title: string, act: () => Promise<string>): Promise<void> {
    const before = await countCalls();
    const startedMs = performance.now();
    const result = await act();
    const seconds = (performance.now() - startedMs) / 1_000;
    addRow(title, { calls: (await countCalls()) - before, seconds, result });
  }
  function addRow(title: string, { calls, seconds, result }: Measured): void {
    rows.push([title, String(calls), seconds.toFixed(2), result]);
  }
  const showLast = async () => {
    await slack.slash(`show ${lastName}`);
    return (await slack.message(lastName)).text;
  };
  const planReport = async (name: string) => {
    await slack.slash(`report add daily 09:00 --vps VPS-1999* --name ${name}`);
    return (await slack.message(name)).text;
  };
  async function suggest(text: string): Promise<string> {
    const view = await slack.modal();
    const { options = [] } = await slack.act('suggest', {
      user,
      view: view.id,
      block_id: 'vps',
      action_id: 'remote',
      text,
    });
    return `${options.length} options`;
  }

  try {
    await measure('a command by name, nothing stored', showLast);
    await measure("a report's plan, nothing stored", () => planReport('first'));
    await slack.slash('reboot');
    await slack.modal();
    await measure("a select's options, nothing stored", () => suggest(''));
    await measure("a select's options, typed name", () => suggest(lastName));
    const startedMs = performance.now();
    const before = await countCalls();
    while ((await countPages()) < vpsCount / pageSize) await delay(100);
    addRow('the rest of the list, in the background', {
      calls: (await countCalls()) - before,
      seconds: ((performance.now() - startedMs) * timesFaster) / 1_000,
      result: 'seconds at the real quota',
    });
    await measure("a select's options, whole list stored", () => suggest(''));
    await measure("a select's options, typed name, stored", () => suggest(lastName));
    await measure('a command by name, whole list stored', showLast);
    await measure("a report's plan, whole list stored", () => planReport('second'));
  } finally {
    await stack.close();
  }
  console.log('\n10,000 VPS over 200 pages, with a quota of 50 calls a minute');
  printTable(['', 'calls', 'seconds', 'result'], rows);
}

if (import.meta.main) await benchPages();
