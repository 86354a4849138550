// Changes one place of the critical code at a time, and reports whether a test fails.
//   npm run mutate -- --minutes 10 --seed 1 --area jobs --file job-store
//   npm run mutate -- --quick --area runs
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { listMutations, type Mutation } from './list-mutations.ts';

interface Area {
  readonly sources: readonly string[];
  /** The tests that must notice a change, in groups. A group runs if those before it noticed nothing. */
  readonly tests: readonly (readonly string[])[];
}

const areas: Readonly<Record<string, Area>> = {
  runs: {
    sources: ['src/runs/**/*.ts'],
    tests: [
      ['test/runs'],
      [
        'test/slack/listeners/reboot.test.ts',
        'test/slack/listeners/undo.test.ts',
        'test/slack/modals',
        'test/slack/messages',
        'test/slack/secrets',
      ],
    ],
  },
  jobs: {
    sources: ['src/jobs/*.ts'],
    tests: [globSync('test/jobs/*.test.ts').filter((file) => !file.includes('.postgres.')), ['test/jobs']],
  },
  auth: {
    sources: ['src/auth/**/*.ts'],
    tests: [
      ['test/auth'],
      [
        'test/slack/modals/access',
        'test/slack/messages/cards',
        'test/slack/secrets',
        'test/workspaces/erasure',
      ],
    ],
  },
  'rate-limit': {
    sources: ['src/hosting/rate-limit/**/*.ts'],
    // The tests with Redis wait for real windows, so they come last.
    tests: [
      globSync('test/hosting/rate-limit/*.test.ts'),
      ['test/hosting/client'],
      ['test/hosting/rate-limit/redis'],
    ],
  },
  vault: {
    sources: ['src/db/encryption/*.ts'],
    tests: [globSync('test/db/encryption/*.test.ts').filter((file) => !file.includes('.postgres.'))],
  },
  signatures: {
    sources: ['src/slack/receivers/request-verifier.ts'],
    tests: [['test/slack/receivers/request-verifier.test.ts']],
  },
};

/** A mutant that makes the tests hang counts as caught. */
const testTimeoutMs = 180_000;

const plainOutput = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string' },
    file: { type: 'string', default: '' },
    /** Runs only the first group of an area's tests, so that a sample takes less time. */
    quick: { type: 'boolean', default: false },
    /** Also prints which test noticed a mutant. */
    verbose: { type: 'boolean', default: false },
  },
});

interface Mutant extends Mutation {
  readonly file: string;
  readonly area: string;
}

function listMutants(): Mutant[] {
  return Object.entries(areas)
    .filter(([name]) => values.area === undefined || values.area === name)
    .flatMap(([area, { sources }]) =>
      globSync([...sources])
        .filter((file) => file.includes(values.file))
        .flatMap((file) =>
          listMutations(readFileSync(file, 'utf8')).map((mutation) => ({ ...mutation, file, area })),
        ),
    );
}

/** Shuffles with the seed, so that a budget covers a sample of everything. */
function shuffle<T>(list: T[]): T[] {
  const generator = xoroshiro128plus(Number(values.seed));
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = uniformInt(generator, 0, last);
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
  return list;
}

/** Copies the files of the project, so that the working tree stays as it is. */
function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'mutate-'));
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(file, join(copy, file));
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Returns which tests fail, or undefined if all pass. */
async function findFailure(copy: string, { tests }: Area): Promise<string | undefined> {
  for (const group of values.quick ? tests.slice(0, 1) : tests) {
    const failure = await findGroupFailure(copy, group);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function findGroupFailure(copy: string, tests: readonly string[]): Promise<string | undefined> {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--bail', '1', '--reporter', 'dot', '--testTimeout', '30000'];
  // A mutant changes one file, so the transformed code of the others is kept.
  args.push(
    '--experimental.fsModuleCache',
    `--experimental.fsModuleCachePath=${join(copy, '.vitest-cache')}`,
  );
  args.push(...tests);
  return new Promise((done) => {
    const options = { cwd: copy, timeout: testTimeoutMs, maxBuffer: 2 ** 26, env: plainOutput };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const failed = `${stdout}\n${stderr}`.split('\n').filter((line) => /^ *FAIL /.test(line));
      done(error === null ? undefined : (failed[0]?.trim() ?? String(error.message).slice(0, 200)));
    });
  });
}

async function main(): Promise<void> {
  const endMs = Date.now() + Number(values.minutes) * 60_000;
  const mutants = shuffle(listMutants());
  const copy = copyProject();
  /** The failure of each area's tests without a mutation. */
  const failures = new Map<string, string | undefined>();
  const survivors: Mutant[] = [];
  let tried = 0;
  try {
    for (const { area: name, file, start, end, replacement, ...mutant } of mutants) {
      if (Date.now() > endMs) break;
      const area = areas[name] as Area;
      if (!failures.has(name)) failures.set(name, await findFailure(copy, area));
      if (failures.get(name) !== undefined) continue;
      const source = readFileSync(file, 'utf8');
      writeFileSync(join(copy, file), source.slice(0, start) + replacement + source.slice(end));
      tried += 1;
      const line = source.slice(0, start).split('\n').length;
      // The end of a long chain of calls shows which of them was dropped.
      const changed = source.slice(start, end);
      const shown = mutant.kind === 'dropped where' ? changed.slice(-120) : changed.slice(0, 120);
      const change = `${file}:${line} ${mutant.kind}: ${shown}`;
      const failure = await findFailure(copy, area);
      if (failure === undefined) {
        survivors.push({ area: name, file, start, end, replacement, ...mutant });
        console.log(`survived: ${change}`);
      } else if (values.verbose) console.log(`caught: ${change}\n  by ${failure}`);
      writeFileSync(join(copy, file), source);
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
  for (const [name, failure] of failures)
    if (failure !== undefined)
      console.log(`not tried: the tests of ${name} fail without a mutation: ${failure}`);
  const caught = tried - survivors.length;
  console.log(`${caught} of ${tried} mutants caught (${mutants.length} possible)`);
}

await main();
