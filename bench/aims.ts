import { printTable } from './statistics.ts';

type Aim = { readonly what: string; readonly unit: string; readonly digits?: number } & (
  | { readonly atMost: number }
  | { readonly atLeast: number }
);

/** What the project aims at for speed and scale. Medians of five rounds, unless the text says "once". */
const aims = {
  readyRatio: { what: 'start to ready, of bare Bolt', atMost: 1.2, unit: '×', digits: 2 },
  idleMemoryMb: { what: 'memory after the start, above bare Bolt', atMost: 15, unit: 'MB' },
  loadMemoryMb: { what: 'memory after 200 messages a second, above bare Bolt', atMost: 30, unit: 'MB' },
  installMb: { what: 'a release with its packages, once', atMost: 60, unit: 'MB' },
  ackRatio: {
    what: 'acks a second, closed loop, of a Bolt app that only acks',
    atLeast: 0.95,
    unit: '×',
    digits: 2,
  },
  answeredPercent: { what: 'help at 200/s: answered', atLeast: 100, unit: '%', digits: 1 },
  answerMs: { what: 'help at 200/s: answer p50', atMost: 100, unit: 'ms' },
  ackMs: { what: 'help at 200/s: ack p99', atMost: 50, unit: 'ms' },
  cpuMs: { what: 'CPU per help at 50/s', atMost: 4, unit: 'ms', digits: 1 },
  ackBesideWriterMs: {
    what: 'help at 50/s beside a process that writes to the disk: ack p99',
    atMost: 100,
    unit: 'ms',
  },
  onTimePercent: {
    what: '1,000 workspaces with two watches each: on time',
    atLeast: 100,
    unit: '%',
    digits: 1,
  },
  stallMs: { what: '1,000 workspaces: longest stall of a minute', atMost: 50, unit: 'ms' },
  corePercent: { what: '1,000 workspaces: of a core', atMost: 30, unit: '%' },
  workspacesMb: { what: '1,000 workspaces: memory', atMost: 250, unit: 'MB' },
  picturesPercent: {
    what: '1,000 reports at one minute: with a picture',
    atLeast: 100,
    unit: '%',
    digits: 1,
  },
  lastReportSeconds: {
    what: '1,000 reports at one minute: the last one posted after',
    atMost: 180,
    unit: 's',
  },
  historyMs: {
    what: 'a page of history, 1,000,000 runs, slowest filter, slower database',
    atMost: 40,
    unit: 'ms',
    digits: 1,
  },
  retentionMs: {
    what: 'the longest step of retention, 1,000,000 runs, slower database',
    atMost: 15,
    unit: 'ms',
    digits: 1,
  },
} as const satisfies Record<string, Aim>;

const reached = new Map<keyof typeof aims, number>();

/** Records what a benchmark measured. */
export function recordReached(aim: keyof typeof aims, value: number): void {
  reached.set(aim, value);
}

/** An aim that was measured, in words. */
export interface MeasuredAim {
  readonly what: string;
  readonly aim: string;
  readonly measured: string;
  readonly verdict: 'reached' | 'missed';
}

/** Lists the aims that were measured in this run, in the order of their declaration. */
export function listMeasuredAims(): readonly MeasuredAim[] {
  return Object.entries(aims).flatMap(([name, aim]: [string, Aim]) => {
    const value = reached.get(name as keyof typeof aims);
    if (value === undefined) return [];
    const { what, unit, digits = 0 } = aim;
    const isReached = 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast;
    return {
      what,
      aim: `${'atMost' in aim ? `at most ${aim.atMost}` : `at least ${aim.atLeast}`} ${unit}`,
      measured: `${value.toFixed(digits)} ${unit}`,
      verdict: isReached ? 'reached' : 'missed',
    };
  });
}

/** What is aimed at, in the order of the declaration. */
export const aimNames: readonly string[] = Object.values(aims).map(({ what }) => what);

/** Prints the aims that were measured in this run. */
export function printAims(): void {
  const measured = listMeasuredAims();
  if (measured.length === 0) return;
  console.log('\nAims');
  printTable(
    ['', 'aim', 'measured', ''],
    measured.map((one) => [one.what, one.aim, one.measured, one.verdict]),
  );
}
